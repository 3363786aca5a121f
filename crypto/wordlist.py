"""256 words for reading a player's id aloud.

No two begin with the same three letters, or sound alike. The list never changes: the index of a
word is a byte of an id.
"""

from __future__ import annotations

_TEXT = """
acorn adobe album amber angel apple april aroma arrow artist atlas attic autumn avenue
badge bamboo banjo barrel basil bazaar beach beetle bishop bread brick broom bucket butter
cabin cactus camel candle carpet cedar cello cereal chalk cherry circus clock cobra coffee
copper cotton cousin cowboy crayon crown cuckoo dagger dahlia dairy decoy denim desert dinner
ditch doctor domino donkey drawer drum dune dwarf dynamo eagle easter echo elbow elder
engine fabric falcon farmer fence fiddle figure fjord flute forest fossil fridge funnel galaxy
garden geyser glove goblin gong grape guava guitar gypsum harbor helmet heron hiking hippo
hobby hotel husky hyena idea igloo indigo insect iris island ivory jaguar jewel jigsaw
jungle kayak kebab kiwi knight koala ladder lagoon lasso legend lever lily lizard llama
locker lotus lunch lyric magnet manor marble meadow menu metal mirror mitten moose mosaic
muffin museum napkin nebula nectar nephew nickel nomad noodle north nugget nurse nutmeg ocean
onion opal opera orange orbit orchid osprey oxygen palace panda paper pastry peanut pebble
pencil piano picnic pigeon pilot pirate plough podium poem polar potato prince puzzle quail
queen quiver rabbit radio raft raven recipe ribbon robot rubber runway safari sailor salad
sauce school seesaw sesame sickle silver siren skate sleeve snow sofa spider spoon stamp
stone sugar summer sunset swan symbol syrup tablet taco teapot temple tennis tiger toast
tomb trophy tuba tulip tundra turtle tweed twig urban usher valley vault vendor vest
violin visor voyage waffle walnut weasel weevil wheat willow wolf wombat wrench yacht yarn
yogurt zigzag zinc zodiac
"""

WORDS = tuple(_TEXT.split())
