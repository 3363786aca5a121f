"""The words of made-up table names, in the language of the player who opens the table.

They have ASCII letters only, as all names of tables do: others type them with any keyboard.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.i18n.translation import language
from crypto.wordlist import WORDS

_OTHERS = {
    "es": """
        aceite aguja almendra amapola arena avena bandera barco bosque botella burro caballo cabra
        camino campana canela carta castillo cebolla cereza ciruela cometa concha cuchara espejo
        estrella farola flauta fuente gallo ganso guitarra higuera hormiga isla laguna lechuza lince
        luna madera manzana mariposa mercado molino naranja nieve nube oliva oveja paloma pera
        piedra pimienta playa pluma puente queso rana roble romero sombrero tambor tierra tigre
        tomate torre trigo uva vaca ventana viento violeta zapato zorro""",
    "eu": """
        arbola ardi artzain asto azeri baso behi belar bihotz elur etxe eguzki egur euri gari gazta
        gorosti haize haritz harri hartz hodei ibai ilargi intxaur itsaso izar kaiku kale katu kutxa
        lagun laino lizar lore mahats marrubi mendi mila ogi oilar olatu otso pago plaza sagar
        sardin suge trikitixa txakur txori udare untzi urre zaldi zubi zuhaitz""",
    "is": """
        alda askur bakki bekkur berg birki blika bolli borg brekka brim dalur drangur eldur engi
        epli ferja fiskur fjall fjara foss fugl gata geit gestur gil gras hamar hestur hundur jurt
        kaffi kaka kerti klettur klukka krummi kvistur laukur lax lest lind lundi melur minkur mosi
        nes penni perla rigning sandur selur silfur skeifa skel skip steinn stjarna svanur tangi
        tjald tromma ull vagn vatn vindur ylur""",
}


def table_words() -> Sequence[str]:
    """Return the words in the present language; the English ones where it has none."""
    text = _OTHERS.get(language())
    return WORDS if text is None else text.split()
