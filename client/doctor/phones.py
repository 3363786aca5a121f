"""Whether phones can come to this machine: at which address and port, and past which firewall."""

from __future__ import annotations

from client.doctor.findings import Finding, fine, trouble
from client.doctor.firewall import Known, Wall
from client.i18n.translation import _
from client.storage.home import StoreError, home_path
from client.storage.visitors import last_place
from client.ui.phone.listening import NoListenerError, listen, private_addresses
from p2p.net.addresses import is_loopback, show_address


def phones(interface: str | None, firewall: Wall) -> Finding:
    """Look where `sobremesa phone` would let phones in; nothing listens there afterwards."""
    before, port = _last_place()
    addresses = [interface] if interface is not None else private_addresses()
    addresses.sort(key=lambda one: one != before)
    if not addresses:
        says = _("none can come in: this machine has no IPv4 address of a private network")
        return fine("phones", says, _("Connect it to the Wi-Fi of the phones."))
    address = addresses[0]
    if is_loopback(address):
        says = _("none can come in: {address} leads to this machine alone")
        return fine("phones", says.format(address=address), _("Leave --interface out."))
    try:
        with listen(address, port) as listener:
            place = show_address(listener.getsockname()[:2])
    except NoListenerError as error:
        says = _("none can come in at {address}: {error}").format(address=address, error=error)
        return fine("phones", says, _("End other copies of Sobremesa."))
    if firewall.phones is Known.KEPT_OUT:
        says = _("{name} keeps them out of {address}").format(name=firewall.name, address=place)
        return trouble("phones", says, firewall.do)
    if firewall.phones is Known.MAYBE and not firewall.name:
        says = _("they come in at {address}, if no firewall keeps them out")
    elif firewall.phones is Known.MAYBE:
        says = _("they come in at {address}, if {name} lets them in")
    elif firewall.name:
        says = _("they come in at {address}; {name} lets them in")
    else:
        says = _("they come in at {address}; no firewall was found on this machine")
    return fine("phones", says.format(address=place, name=firewall.name), _scan())


def _last_place() -> tuple[str, int | None]:
    try:
        return last_place(home_path())
    except StoreError:  # the finding of the home says so
        return "", None


def _scan() -> str:
    return _(
        "Run `sobremesa phone`, and scan the code with a phone in the same Wi-Fi. If the phone "
        "finds nothing, that Wi-Fi keeps devices apart (guest Wi-Fi), or a firewall keeps it out."
    )
