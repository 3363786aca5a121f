"""The network: links, discovery, framing; moves bytes, knows no game.

    async with open_mesh(identity, pem_path) as mesh:          # p2p.net.mesh
        peer = await mesh.dial(parse_address("192.168.1.23"))  # or parse_invite(text).addresses
        mesh.keep(peer, [mesh.links()[peer].address])          # redialled whenever it is lost
        mesh.broadcast({"t": "hello"})
        async for event in mesh.events:                        # LinkUp, Received, LinkDown, ...
            ...

    async with open_discovery() as discovery:                  # p2p.net.discovery
        await discovery.advertise(Advert(...))                 # p2p.net.sighting
        async for news in discovery.sightings():               # Sighting or TableGone
            ...

Every failure is a `NetError` (p2p.net.errors).
"""
