// What is heard of a match: each sound is made of a few short tones. Off until it is asked for; a browser lets a page sound only once it was touched.
"use strict";

// A tone: seconds until it begins, its hertz (0: a rustle), its seconds, its loudness.
const SOUNDS = {
  card: [[0, 0, 0.07, 0.5]],
  knock: [[0, 110, 0.1, 0.5], [0, 0, 0.03, 0.2], [0.17, 110, 0.1, 0.5], [0.17, 0, 0.03, 0.2]],
  chip: [[0, 2600, 0.05, 0.06], [0.06, 3400, 0.09, 0.06]],
  call: [[0, 392, 0.18, 0.1], [0.12, 587, 0.32, 0.1]],
  win: [[0, 523, 0.2, 0.1], [0.13, 659, 0.2, 0.1], [0.26, 784, 0.2, 0.1], [0.39, 1047, 0.6, 0.1]],
  loss: [[0, 392, 0.3, 0.09], [0.22, 330, 0.3, 0.09], [0.44, 262, 0.7, 0.09]],
  turn: [[0.2, 660, 0.35, 0.08]],
};
const SHAKE_MS = 80, RUSTLE_S = 0.1;
const WATCHED_MS = 5000; // from a touch, in which its player sees a turn come

let ears = null, rustle = null, touched = -WATCHED_MS;

const heard = () => localStorage.getItem("sound") === "on";

function hear(on) {
  localStorage.setItem("sound", on ? "on" : "off");
  if (!on || ears !== null) return;
  ears = new AudioContext();
  rustle = ears.createBuffer(1, RUSTLE_S * ears.sampleRate, ears.sampleRate);
  rustle.getChannelData(0).forEach((_none, at_, samples) => { samples[at_] = Math.random() * 2 - 1; });
}

function tone([after, hertz, seconds, loudness]) {
  const source = hertz ? ears.createOscillator() : ears.createBufferSource(), volume = ears.createGain(), filter = ears.createBiquadFilter();
  const begin = ears.currentTime + after;
  if (hertz) source.frequency.value = hertz;
  else source.buffer = rustle;
  Object.assign(filter, hertz ? { type: "allpass" } : { type: "bandpass" });
  filter.frequency.value = 2200;
  volume.gain.setValueAtTime(loudness, begin);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
  source.connect(filter).connect(volume).connect(ears.destination);
  source.start(begin);
  source.stop(begin + seconds);
}

function listen(on) {
  hear(on);
  sound("turn"); // so that one knows
  setView(now.view, now.view);
}

function sound(name) {
  if (heard() && ears !== null) SOUNDS[name]?.forEach(tone);
}

// What has happened between two views of a table, by its sounds.
function happened(table, before) {
  const [me] = table.seats, told = (one) => JSON.stringify(one ?? "");
  if (table.ending) return before.ending ? [] : [table.ending.won?.includes(me.number ?? 0) ? "win" : "loss"];
  return [
    table.trace && table.trace.number !== before.trace?.number && (table.trace.sound ?? "card"),
    table.call && told(table.call) !== told(before.call) && "call",
    me.you && me.state === "turn" && before.seats[0].state !== "turn" && "turn",
  ].filter(Boolean);
}

function sounds(table, before) {
  const found = happened(table, before);
  found.forEach(sound);
  if (found.includes("turn")) shake();
}

// On our turn a phone shakes without sounds too, as phones do that make none; its silent mode keeps it still.
function shake() {
  if (navigator.userActivation?.hasBeenActive && performance.now() - touched >= WATCHED_MS) navigator.vibrate?.(SHAKE_MS);
}

document.addEventListener("pointerdown", () => { touched = performance.now(); });

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => {
  if (heard()) hear(true);
}, { once: true });

// On our turn in a tab that is not seen, if that is wanted, the system says so.
const noticed = () => localStorage.getItem("notices") === "on" && Notification.permission === "granted";

async function notice(on) {
  localStorage.setItem("notices", on && (await Notification.requestPermission()) === "granted" ? "on" : "off");
}

function callBack() {
  if (!document.hidden || !("Notification" in window) || !noticed()) return;
  const said = new Notification(document.title, { tag: "turn" });
  said.addEventListener("click", () => {
    window.focus();
    said.close();
  });
}

// The page makes sounds and notices, and so it makes their switches.
ownTools = () => [h("button.icon-btn", { "data-id": "sound", type: "button", "aria-pressed": String(heard()), "aria-label": words.sound, title: words.sound }, icon(heard() ? "sound" : "mute"))];

const ownSwitch = (id, on) => h("label.entry", { for: id }, h("span", {}, h("b", {}, words[id])), h("input.switch", { id, type: "checkbox", role: "switch", checked: on }));

// In a narrow window the first line has no room for it.
ownSwitches = () => [ownSwitch("sound", heard()), ownSwitch("one-tap", oneTap()), "Notification" in window && ownSwitch("notices", noticed())];

at.view.addEventListener("click", ({ target }) => {
  if (target.closest("[data-id=sound]")) listen(!heard());
});

at.view.addEventListener("change", ({ target }) => {
  if (target.id === "notices") notice(target.checked);
  if (target.id === "sound") listen(target.checked);
  if (target.id === "one-tap") localStorage.setItem("one-tap", target.checked ? "on" : "off");
});
