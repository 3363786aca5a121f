// Cards of our hand that are dragged: to the table to play them, or to another place in a hand that we keep in an order of our own.
"use strict";

const APART = 8, SNAP_MS = 1000; // pixels from which a touch is a drag; until a card that nobody took goes back
const FEW = 3; // cards that need no order

let held = null; // what is dragged: its id, where it was touched, the view that was seen then, whether it has moved
let own = null; // our order: the deal, the order of the program for it, and our groups of ids
let played = false; // the click that ends a drag is none

const cardsNow = () => now.view?.table?.hand ?? [];
const ordered = (cards) => cards.length > FEW && !cards.some(({ key }) => key); // digits of keys name places
const slotOf = (id) => at.view.querySelector(`.hand > [data-id="${CSS.escape(id)}"]`);

// The hand in our order, as long as the deal lasts and the program sorts it as it did.
arranged = (cards, deal) => {
  const ids = cards.map(({ id }) => id), both = own?.program.filter((id) => ids.includes(id)) ?? [];
  const same = own?.deal === deal && both.length > 0 && ids.filter((id) => own.program.includes(id)).every((id, place) => id === both[place]);
  if (!same) own = null;
  if (own === null || !ordered(cards)) return cards;
  const fresh = ids.filter((id) => !own.groups.flat().includes(id));
  const groups = [...own.groups.map((group) => group.filter((id) => ids.includes(id))), fresh].filter((group) => group.length);
  const byId = new Map(cards.map((one) => [one.id, one]));
  return groups.flatMap((group, number) => group.map((id, place) => ({ ...byId.get(id), begins: number > 0 && place === 0 })));
};

const stored = JSON.parse(sessionStorage.getItem("hand") ?? "null");
if (stored?.groups && stored.program) own = stored;

// Put cards before or after the one that is nearest, into its group; where there is room between groups they begin one.
function rearrange(moved, x, y) {
  const nodes = [...at.view.querySelectorAll(".hand > .slot")].filter((node) => !moved.includes(node.dataset.id)), boxes = nodes.map(box);
  const away = boxes.map(({ left, right, top, bottom }) => Math.hypot(Math.max(left - x, 0, x - right), 2 * Math.max(top - y, 0, y - bottom)));
  const near = away.indexOf(Math.min(...away)), beside = nodes[near], after = x > boxes[near].left + boxes[near].width / 2;
  const groups = [];
  for (const node of nodes) {
    const { id } = node.dataset, apart = node === beside && Math.max(boxes[near].left - x, x - boxes[near].right) > APART / 2;
    if (node.matches(".begins") || !groups.length) groups.push([]);
    if (node === beside && !after) groups.push(...(apart ? [moved, []] : [[...groups.pop(), ...moved]]));
    groups.at(-1).push(id);
    if (node === beside && after) groups.push(...(apart ? [moved, []] : [[...groups.pop(), ...moved]]));
  }
  const { deal } = now.view.table;
  own = { deal, program: cardsNow().map(({ id }) => id), groups: groups.filter((group) => group.length) };
  sessionStorage.setItem("hand", JSON.stringify(own));
  const before = whereCardsLie();
  setView(now.view, now.view);
  if (moves()) glide(before);
}

function lift() {
  document.body.classList.toggle("dragging", Boolean(held?.moved));
  const node = held?.moved && slotOf(held.id);
  if (!node) return;
  node.classList.add("dragged");
  node.style.translate = `${held.x - held.fromX}px ${held.y - held.fromY}px`;
}

// A new view leaves a dragged card under the finger; one that has gone is dragged no more.
redrawn = () => {
  if (held && !slotOf(held.id)) held = null;
  lift();
};

function putBack(id) {
  const node = slotOf(id);
  if (!node || held?.id === id) return;
  node.classList.remove("dragged");
  node.style.translate = "";
}

at.view.addEventListener("pointerdown", ({ target, pointerId, isPrimary, button, clientX: x, clientY: y }) => {
  const node = target.closest(".hand > .slot"), one = node && cardsNow().find(({ id }) => id === node.dataset.id);
  played = false;
  if (one && isPrimary && !button && !node.closest("[inert]") && (one.drags || ordered(cardsNow())))
    held = { id: one.id, pointerId, seen, fromX: x, fromY: y, x, y, moved: false };
});

window.addEventListener("pointermove", ({ pointerId, clientX: x, clientY: y }) => {
  if (held?.pointerId !== pointerId) return;
  Object.assign(held, { x, y, moved: held.moved || Math.hypot(x - held.fromX, y - held.fromY) > APART });
  lift();
});

function drop(onto) {
  const { id, seen: then, moved, x, y } = held, { drags = [], state = "" } = cardsNow().find((one) => one.id === id);
  const ends = [...at.view.querySelectorAll("[data-end]")].map((node) => [Math.hypot(box(node).left - x, box(node).top - y), node.dataset.end]).sort(([one], [other]) => one - other);
  const meant_ = drags.length < 2 ? drags[0] : drags.find((one) => one.id.endsWith(`end:${ends[0]?.[1]}`));
  held = null;
  lift();
  if (!moved) return;
  played = true;
  if (onto?.closest(".board") && meant_) send({ click: meant_.id, seen: then });
  else if (onto?.closest(".hand") && ordered(cardsNow())) rearrange(state === "picked" ? cardsNow().filter((one) => one.state === "picked").map((one) => one.id) : [id], x, y);
  else putBack(id);
  setTimeout(putBack, SNAP_MS, id);
}

window.addEventListener("pointerup", ({ pointerId, clientX: x, clientY: y }) => {
  if (held?.pointerId === pointerId) drop(document.elementFromPoint(x, y));
});

window.addEventListener("pointercancel", ({ pointerId }) => {
  if (held?.pointerId === pointerId) drop(null);
});

window.addEventListener("click", (event) => {
  if (!played) return;
  played = false;
  event.stopPropagation();
}, true);

// With one tap, if that is wanted: of hands in which one card is a move.
const oneTap = () => localStorage.getItem("one-tap") === "on";

tapped = (id) => {
  const one = cardsNow().find((card_) => card_.id === id);
  return oneTap() && one?.key && one.drags?.length === 1 ? one.drags[0].id : id;
};
