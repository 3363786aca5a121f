// The sealed channel of a phone's page: Noise_NNpsk0_25519_ChaChaPoly_SHA256 (revision 34), the initiator. The other end
// is crypto/channel.py, which says what each part is; decision 0035 has the reasons.
"use strict";

const sealed = (() => {
  const { ascii, Broken, bytes, encrypt, decrypt, hkdf, sha256, x25519, BASE } = ciphers;
  const TAG = 16, KEY = 32;

  // Noise.

  function nonce(number) {
    const view = new DataView(new ArrayBuffer(12));
    view.setUint32(4, number, true);
    view.setUint32(8, Math.floor(number / 2 ** 32), true);
    return new Uint8Array(view.buffer);
  }

  // A key with its next nonce. Without a key it does nothing.
  class Cipher {
    #key;
    #next;

    constructor(key = null) {
      this.#key = key;
      this.#next = key ? 0 : Number.MAX_SAFE_INTEGER;
    }

    encrypt(data, bound = bytes()) {
      return encrypt(this.#key, this.#nonce(), data, bound);
    }

    decrypt(data, bound = bytes()) {
      return decrypt(this.#key, this.#nonce(), data, bound);
    }

    end() {
      this.#next = Number.MAX_SAFE_INTEGER;
    }

    #nonce() {
      if (this.#next === Number.MAX_SAFE_INTEGER) throw new Broken("ended");
      this.#next += 1;
      return nonce(this.#next - 1);
    }
  }

  // A handshake from its first message, which is `first`; `finish` takes the second one.
  class Handshake {
    #hash = sha256(ascii("Noise_NNpsk0_25519_ChaChaPoly_SHA256"));
    #chaining = this.#hash;
    #cipher = null;
    #secret;

    constructor(psk, prologue, payload, secret) {
      this.#secret = secret;
      this.#mixHash(prologue);
      this.#mixKeyAndHash(psk);
      const own = x25519(secret, BASE);
      this.#mixPublic(own);
      this.first = bytes(own, this.#bound(this.#cipher.encrypt(payload, this.#hash)));
    }

    finish(second) {
      if (second.length < KEY + TAG) throw new Broken("too short");
      const theirs = second.slice(0, KEY), hidden = second.slice(KEY), shared = x25519(this.#secret, theirs);
      if (!shared.reduce((sum, byte) => sum | byte, 0)) throw new Broken("a key of small order");
      this.#mixPublic(theirs);
      this.#mixKey(shared);
      const payload = this.#cipher.decrypt(hidden, this.#hash);
      this.#bound(hidden);
      const [sending, receiving] = this.#expand(bytes(), 2).map((key) => new Cipher(key));
      return { payload, sending, receiving, hash: this.#hash };
    }

    #expand(material, count) {
      const made = hkdf(this.#chaining, material, bytes(), KEY * count);
      return Array.from({ length: count }, (_, i) => made.slice(KEY * i, KEY * (i + 1)));
    }

    #mixHash(data) {
      this.#hash = sha256(bytes(this.#hash, data));
    }

    #bound(hidden) {
      this.#mixHash(hidden);
      return hidden;
    }

    #mixKey(material) {
      const [chaining, key] = this.#expand(material, 2);
      this.#chaining = chaining;
      this.#cipher = new Cipher(key);
    }

    #mixKeyAndHash(material) {
      const [chaining, mixed, key] = this.#expand(material, 3);
      this.#chaining = chaining;
      this.#mixHash(mixed);
      this.#cipher = new Cipher(key);
    }

    #mixPublic(key) {
      this.#mixHash(key);
      this.#mixKey(key);
    }
  }

  // The channel.

  const SALT = ascii("sobremesa/phone/1"), VERSION = 1, CODE = 0, SECRET = 1, SIZES = [10, KEY];
  const FROM_PAGE = [128, 4096], TO_PAGE = [1024, 256 * 1024], MORE = "+", FILES = 32;
  const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  // The 10 bytes of a code; null if it is none.
  function readCode(text) {
    const letters = text.toUpperCase().replace(/[- ]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
    if (!/^[0-9A-HJKMNP-TV-Z]{16}$/.test(letters)) return null;
    const bits = [...letters].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
    return Uint8Array.from(bits.match(/.{8}/g), (byte) => parseInt(byte, 2));
  }

  // A connection by a code of 10 bytes or a secret of 32: send `first`, give the answer to `finish`.
  class Channel {
    #handshake;
    #sending = new Cipher();
    #receiving = new Cipher();
    #begun = ""; // of a text that goes on in the next frame

    constructor(kind, root, host, secret = crypto.getRandomValues(new Uint8Array(KEY))) {
      if (root.length !== SIZES[kind]) throw new Broken("a root of another length");
      const id = hkdf(SALT, root, bytes(ascii("id"), kind), 8), psk = hkdf(SALT, root, bytes(ascii("psk"), kind), KEY);
      this.#handshake = new Handshake(psk, bytes(SALT, 0, kind, id, ascii(host)), bytes(), secret);
      this.first = bytes(VERSION, kind, id, this.#handshake.first);
    }

    // Returns the hash of the page's files.
    finish(answer) {
      if (answer.length !== KEY + TAG + FILES || !this.#handshake) throw new Broken("no answer");
      const handshake = this.#handshake;
      this.#handshake = null;
      const { payload, sending, receiving, hash } = handshake.finish(answer);
      this.#sending = sending;
      this.#receiving = receiving;
      this.digits = String(hash.reduce((rest, byte) => (256 * rest + byte) % 10000, 0)).padStart(4, "0");
      return payload;
    }

    seal(text) {
      const data = new TextEncoder().encode(text), [step, most] = FROM_PAGE;
      if (data.length > most) throw new RangeError("too long");
      const filled = new Uint8Array(Math.max(1, Math.ceil(data.length / step)) * step).fill(32);
      filled.set(data);
      return this.#sending.encrypt(filled);
    }

    // Throws if the frame is not the next one of this program, and from then on always.
    unseal(frame) {
      const size = frame.length - TAG, [step, most] = TO_PAGE;
      try {
        if (size % step || size < step || size > most) throw new Broken("another length");
        const data = this.#receiving.decrypt(frame);
        let end = data.length;
        while (end && data[end - 1] === 32) end -= 1;
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data.subarray(0, end));
      } catch {
        this.#receiving.end();
        this.#sending.end();
        throw new Broken("a frame that is not the next one");
      }
    }

    // Returns the text that ends with this frame; null if it goes on in the next one. Throws as above.
    hear(frame) {
      const text = this.#begun + this.unseal(frame), more = text.endsWith(MORE);
      this.#begun = more ? text.slice(0, -MORE.length) : "";
      return more ? null : text;
    }
  }

  return { Channel, Handshake, readCode, nonce, CODE, SECRET };
})();
