// The way in of a phone: by the code in the address or the secret that has replaced it, over the sealed channel (sealed.js).
// The other end is client/ui/phone/access.py.
"use strict";

const sentences = words; // in every language
const AWAKE_MS = 500; // a program that is there answers a ping in this time
const BEAT_MS = 5000; // after which a page that is looked at asks whether it is still heard
const HEARD_MS = 10_000; // in which it is then; a busy laptop is no lost one
const OPEN_MS = 3000; // in which a connection is made
const LATE_MS = 10_000; // in which a program lets us in, or says that we must wait; the guest may have to start first
const REFUSED_MS = 4000; // in which a key is refused; later than that we were slow, or asleep
const PATIENCE_MS = 1500; // a connection that breaks off for a shorter time is not spoken of
const REFUSED = 4403;

let code = null; // the ten bytes in the address, until they have served
let blamed = ""; // why the code was refused, while the secret from before is tried
let written = ""; // the code that was typed last, to be corrected
let connection = null;
let broken = 0; // since a connection broke off, and until a program answers: the timer of the sentence that says so

const inWords = (name) => sentences[document.documentElement.lang][name];
const ours = (lang) => lang?.split("-")[0].toLowerCase();
const tagged = (lang) => lang?.match(/^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}(?![a-z0-9])/i)?.[0] ?? "en"; // as the program reads it
const spelled = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unspelled = (text) => Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16));

document.documentElement.lang = [localStorage.getItem("lang"), ...navigator.languages].map(ours)
  .find((lang) => Object.hasOwn(sentences, lang ?? "")) ?? "en";

class Connection {
  #channel;
  #socket;
  #files = null; // those that the program serves now
  #late = setTimeout(() => this.lose(0), OPEN_MS);
  #unanswered = 0; // the timer of a ping
  #due = 0; // when its answer is
  #patient = false; // whether any frame answers it, as while nobody slept
  #byCode;
  #secret = null; // the one that this browser has of it
  #since = performance.now();
  #waits = false; // for the owner of the laptop
  #inside = false;

  constructor(kind, root) {
    this.#byCode = kind === sealed.CODE;
    if (!this.#byCode) this.#secret = spelled(root);
    this.#channel = new sealed.Channel(kind, root, location.host);
    this.#socket = new WebSocket(`ws://${location.host}/socket`);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.addEventListener("open", () => this.#open());
    this.#socket.addEventListener("message", ({ data }) => this.#take(new Uint8Array(data)));
    this.#socket.addEventListener("close", (event) => this.#closed(event.code));
  }

  // Sends a text of the page; returns whether it went.
  deliver(text) {
    const open = this.#inside && this.#socket.readyState === WebSocket.OPEN;
    if (open) this.#say(text);
    return open;
  }

  // Whether it is in, or waits to be let in.
  get settled() {
    return this.#inside || this.#waits;
  }

  // A phone that was asleep may have a socket that only looks open, with frames in it from before.
  wake(patience = AWAKE_MS) {
    const due = performance.now() + patience;
    if (this.#unanswered && this.#due <= due) return;
    if (!this.settled) {
      this.lose(0);
      return;
    }
    this.#wait(patience, due);
    if (this.#socket.readyState === WebSocket.OPEN) this.#say('{"ping":true}');
  }

  #wait(patience, due) {
    clearTimeout(this.#unanswered);
    this.#due = due;
    this.#patient = patience > AWAKE_MS;
    this.#unanswered = setTimeout(() => this.#unheard(), patience);
  }

  // Without an answer in time. If we were busy or asleep ourselves, it may be there, and is about to be read.
  #unheard() {
    const now = performance.now();
    if (now - this.#due > AWAKE_MS) this.#wait(AWAKE_MS, now + AWAKE_MS);
    else this.lose(0);
  }

  #heard() {
    clearTimeout(this.#unanswered);
    this.#unanswered = 0;
  }

  // The program is not there, or is another one: begin anew, soon.
  lose(wait = RETRY_MS) {
    if (connection !== this) return;
    this.end();
    if (!broken) count();
    setTimeout(again, wait);
  }

  // Nothing more comes of it.
  end() {
    clearTimeout(this.#late);
    clearTimeout(this.#unanswered);
    this.#socket.close();
    if (connection === this) connection = null;
  }

  #open() {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.lose(), LATE_MS);
    if (broken) count(LATE_MS); // the laptop is there, and busy
    this.#socket.send(this.#channel.first);
  }

  #say(text) {
    this.#socket.send(this.#channel.seal(text));
  }

  #take(frame) {
    if (connection !== this) return;
    try {
      if (this.#files === null) this.#meet(spelled(this.#channel.finish(frame)));
      else this.#read(this.#channel.hear(frame));
    } catch (error) {
      this.lose();
      if (!(error instanceof ciphers.Broken)) throw error;
    }
  }

  // Whoever answers knows our key. If the program has other files than we, it is a newer one.
  #meet(files) {
    this.#files = files;
    mended();
    if (files === version) {
      sessionStorage.removeItem("files");
      this.#say(JSON.stringify({ lang: tagged(navigator.language) }));
      return;
    }
    this.end();
    if (sessionStorage.getItem("files") === files) {
      tell(inWords("other"));
      return;
    }
    sessionStorage.setItem("files", files);
    location.reload();
  }

  #read(text) {
    if (this.#patient) this.#heard();
    if (text !== null) this.#hear(JSON.parse(text));
  }

  #hear(told) {
    clearTimeout(this.#late);
    if (told.secret) {
      this.#waits = false;
      localStorage.setItem("secret", told.secret);
      this.#secret = told.secret;
      forgetCode();
      meant = true; // no other page knows a code
      this.#say('{"kept":true}');
    } else if (told.wait) {
      this.#waits = true;
      tell(make("p", "", inWords("wait")), make("p", "digits", this.#channel.digits));
    } else if (told.used) this.#refuse("used");
    else if (told.moved) {
      this.end();
      if (told.void && keptSecret() === this.#secret) {
        localStorage.removeItem("secret");
        ask("replaced");
      } else tell(make("p", "", inWords("moved")), choice("back", begin));
    } else if (told.pong) this.#heard();
    else this.#see(told);
  }

  #see(message) {
    if (!this.#inside) {
      this.#inside = true;
      blamed = "";
      begun();
      tell("");
    }
    if (message.set?.lang) localStorage.setItem("lang", message.set.lang);
    show(message);
  }

  // A key that is not good is refused at once, and without an answer. All other mistakes are closed alike.
  #closed(why) {
    if (connection !== this) return;
    const lasted = performance.now() - this.#since;
    if (why === REFUSED && this.#files === null && lasted < REFUSED_MS) this.#refuse(this.#byCode ? "refused" : "unknown");
    else this.lose(lasted < RETRY_MS ? RETRY_MS : 0);
  }

  // Who scans a code that has served may have come by an earlier one.
  #refuse(why) {
    this.end();
    if (this.#byCode) forgetCode();
    if (this.#byCode && keptSecret() !== null) {
      blamed = why;
      begin();
    } else {
      ask(blamed || why);
      blamed = "";
    }
  }
}

// Says so when a connection that broke off does not come back; a player who does not look needs not know.
function count(patience = PATIENCE_MS) {
  clearTimeout(broken);
  broken = setTimeout(() => document.visibilityState === "visible" && tell(inWords("lost")), patience);
}

function mended() {
  clearTimeout(broken);
  broken = 0;
}

function keptSecret() {
  const kept = localStorage.getItem("secret") ?? "";
  return /^[0-9a-f]{64}$/.test(kept) ? kept : null;
}

// The address is that of its code: the browser may have kept a page of somebody else under another one.
function forgetCode() {
  code = null;
  history.replaceState(null, "", here());
}

function choice(name, act) {
  const button = make("button", "btn main", inWords(name));
  button.addEventListener("click", act);
  return button;
}

// Lets the player type a code.
function ask(why) {
  mended();
  const field = make("input", "input");
  Object.assign(field, { value: written, placeholder: "XXXX-XXXX-XXXX-XXXX", maxLength: 40, autocomplete: "off", autocapitalize: "characters", spellcheck: false });
  field.setAttribute("aria-label", inWords("code"));
  const form = make("form", "", field, make("button", "btn main", inWords("go")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    written = field.value;
    code = sealed.readCode(written);
    if (code === null) ask("mistyped");
    else begin();
  });
  tell(make("p", "", inWords(why)), form);
}

function connect() {
  const secret = keptSecret();
  if (code !== null) connection = new Connection(sealed.CODE, code);
  else if (secret !== null) connection = new Connection(sealed.SECRET, unspelled(secret));
  else ask(location.hash ? "mistyped" : "none");
}

function begin() {
  tell(inWords("connecting"));
  connect();
}

// After a connection was lost. While nobody looks there is no hurry.
function again() {
  if (broken && connection === null && document.visibilityState === "visible") connect();
}

function wake() {
  if (document.visibilityState !== "visible") return;
  if (broken) count();
  if (connection === null) again();
  else connection.wake();
}

// Twice at once in the lobby, or without a connection, the back button leaves: nothing is lost by that, our seat waits.
const LEAVE_MS = 1500;
let wentBack = -LEAVE_MS;

leaves = () => connection === null || performance.now() - wentBack < LEAVE_MS;
window.addEventListener("popstate", () => { wentBack = performance.now(); });

// A laptop that has another address, or a phone that left the network, closes no socket.
function beat() {
  if (document.visibilityState === "visible" && connection?.settled) connection.wake(HEARD_MS);
}

setInterval(beat, BEAT_MS);
deliver = (text) => connection !== null && connection.deliver(text);
at.lost.addEventListener("keydown", (event) => event.stopPropagation()); // no key of the page below it
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
window.addEventListener("hashchange", () => location.reload()); // another code was scanned
code = sealed.readCode(location.hash.slice(1));
if (globalThis.crypto?.getRandomValues) begin(); // else the page goes on to say that it needs a newer browser
