"""What all tests share."""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that runs us in the background ignores Ctrl-C in our name, and the programs that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
