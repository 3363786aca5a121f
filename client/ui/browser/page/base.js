// What the live page and the replay page share: the elements of the page, small parts, what is read aloud.
"use strict";

const GLIDE_MS = 320, FLIP_MS = 260, SPOKEN = 40;
const SVG = "http://www.w3.org/2000/svg";

const at = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
const calm = matchMedia("(prefers-reduced-motion:reduce)");

let words = {}; // the page's own sentences
let now = {}; // the last view, and what the program says beside it
let wantDrawings = () => {}; // gets the drawings of a kind that the page has not
let arranged = (cards) => cards, redrawn = () => {}, tapped = (id) => id; // how the live page lays a hand, keeps what is dragged, and takes a click
let ownTools = () => [], ownSwitches = () => []; // what the live page has in its first line and in its menu

function make(tag, name, ...inside) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...inside);
  return node;
}

// In text, brackets after a no-break space name keys (keys_in_brackets in client/i18n/translation.py).
const KEYED = /(\u00a0\([^()]*\))/;

function withKeys(text) {
  return text.split(KEYED).map((part, place) => (place % 2 ? make("span", "keys", part) : part));
}

// Drawings are symbols in the page.

function symbol(kind, face) {
  return `${kind}-${face === null ? "back" : face === "*" ? "joker" : face}`;
}

function moves() {
  return document.documentElement.dataset.motion !== "none" && !calm.matches;
}

function announce(before, after) {
  let known = Math.min(before.length, after.length);
  while (known > 0 && before.slice(-known).some((line, place) => line !== after[place])) known -= 1;
  if (known === 0) at.announce.replaceChildren(); // another match, or none
  for (const line of after.slice(known)) at.announce.append(make("p", "", ...withKeys(line)));
  while (at.announce.childElementCount > SPOKEN) at.announce.firstElementChild.remove();
}
