"""What keeps people from playing on this machine: the findings of `sobremesa doctor`."""
