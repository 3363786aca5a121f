// SHA-256, HMAC and HKDF (FIPS 180-4, RFC 2104, 5869), X25519 (RFC 7748), ChaCha20 and Poly1305 (RFC 8439) for sealed.js: a
// page on plain HTTP has no `crypto.subtle`. But for X25519 there are sums, products and bits of numbers below 2 ** 32 only,
// and no branch, place in memory or length depends on a secret. An engine of scripts promises no constant time, so this is
// as near to it as a page can come. X25519 computes with BigInt, in a time that depends on the key; a key serves for one
// connection.
"use strict";

const ciphers = (() => {
  const TAG = 16, KEY = 32, BLOCK = 64;
  const bytes = (...parts) => Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...part])));
  const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

  class Broken extends Error {}

  // SHA-256, HMAC, HKDF.

  const ROUNDS = Uint32Array.of(
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  );
  const BEGIN = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
  const right = (word, by) => (word >>> by) | (word << (32 - by));

  function sha256(data) {
    const padded = new Uint8Array(Math.ceil((data.length + 9) / BLOCK) * BLOCK), view = new DataView(padded.buffer);
    padded.set(data);
    padded[data.length] = 0x80;
    view.setUint32(padded.length - 4, data.length << 3); // nothing here has 512 MB
    const state = Uint32Array.from(BEGIN), words = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += BLOCK) {
      for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i);
      for (let i = 16; i < 64; i += 1) {
        const x = words[i - 15], y = words[i - 2];
        words[i] = words[i - 16] + (right(x, 7) ^ right(x, 18) ^ (x >>> 3)) + words[i - 7] + (right(y, 17) ^ right(y, 19) ^ (y >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const one = (h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
        const two = ((right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] += word; });
    }
    const out = new DataView(new ArrayBuffer(32));
    state.forEach((word, i) => out.setUint32(4 * i, word));
    return new Uint8Array(out.buffer);
  }

  function hmac(key, data) {
    const block = new Uint8Array(BLOCK);
    block.set(key.length > BLOCK ? sha256(key) : key);
    return sha256(bytes(block.map((byte) => byte ^ 0x5c), sha256(bytes(block.map((byte) => byte ^ 0x36), data))));
  }

  function hkdf(salt, material, info, length) {
    const key = hmac(salt, material);
    let made = bytes(), last = bytes();
    for (let number = 1; made.length < length; number += 1) {
      last = hmac(key, bytes(last, info, number));
      made = bytes(made, last);
    }
    return made.slice(0, length);
  }

  // X25519.

  const P = 2n ** 255n - 19n;
  const modulo = (value) => ((value % P) + P) % P;
  const little = (data) => data.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);

  function inverse(value) {
    let result = 1n;
    for (let power = P - 2n, base = value; power; power >>= 1n, base = (base * base) % P) if (power & 1n) result = (result * base) % P;
    return result;
  }

  function x25519(secret, point) {
    const scalar = (little(secret) & (2n ** 254n - 8n)) | (2n ** 254n), u = modulo(little(point) & (2n ** 255n - 1n));
    let [x2, z2, x3, z3, swapped] = [1n, 0n, u, 1n, 0n];
    for (let bit = 254n; bit >= 0n; bit -= 1n) {
      const now = (scalar >> bit) & 1n;
      if (now ^ swapped) [x2, x3, z2, z3] = [x3, x2, z3, z2];
      swapped = now;
      const a = x2 + z2, b = x2 - z2, aa = (a * a) % P, bb = (b * b) % P, e = aa - bb;
      const da = ((x3 - z3) * a) % P, cb = ((x3 + z3) * b) % P;
      [x3, z3] = [modulo((da + cb) ** 2n), modulo(u * (da - cb) ** 2n)];
      [x2, z2] = [modulo(aa * bb), modulo(e * (aa + 121665n * e))];
    }
    if (swapped) [x2, z2] = [x3, z3];
    let left = (x2 * inverse(z2)) % P;
    return Uint8Array.from({ length: KEY }, () => {
      const byte = Number(left & 255n);
      left >>= 8n;
      return byte;
    });
  }

  const BASE = bytes(9, new Uint8Array(KEY - 1));

  // ChaCha20 and Poly1305.

  function quarter(x, a, b, c, d) {
    x[a] += x[b]; x[d] ^= x[a]; x[d] = (x[d] << 16) | (x[d] >>> 16);
    x[c] += x[d]; x[b] ^= x[c]; x[b] = (x[b] << 12) | (x[b] >>> 20);
    x[a] += x[b]; x[d] ^= x[a]; x[d] = (x[d] << 8) | (x[d] >>> 24);
    x[c] += x[d]; x[b] ^= x[c]; x[b] = (x[b] << 7) | (x[b] >>> 25);
  }

  // Returns data, encrypted or decrypted, from a block of the key stream on.
  function chacha20(key, counter, nonce, data) {
    const state = new Uint32Array(16), x = new Uint32Array(16), out = new Uint8Array(data.length);
    const input = bytes(ascii("expand 32-byte k"), key, 0, 0, 0, 0, nonce), view = new DataView(input.buffer);
    for (let i = 0; i < 16; i += 1) state[i] = view.getUint32(4 * i, true);
    state[12] = counter;
    for (let at = 0; at < data.length; at += BLOCK, state[12] += 1) {
      x.set(state);
      for (let i = 0; i < 10; i += 1) {
        quarter(x, 0, 4, 8, 12); quarter(x, 1, 5, 9, 13); quarter(x, 2, 6, 10, 14); quarter(x, 3, 7, 11, 15);
        quarter(x, 0, 5, 10, 15); quarter(x, 1, 6, 11, 12); quarter(x, 2, 7, 8, 13); quarter(x, 3, 4, 9, 14);
      }
      for (let i = 0; i < 16; i += 1) x[i] += state[i];
      const most = Math.min(BLOCK, data.length - at);
      for (let i = 0; i < most; i += 1) out[at + i] = data[at + i] ^ (x[i >> 2] >>> (8 * (i & 3)));
    }
    return out;
  }

  // The 130 bits of a number are ten limbs of 13: sums of ten products of two limbs are below 2 ** 32.
  const LIMBS = 10, BITS = 13, LOW = 8191;

  function addBytes(limbs, data, at, size) {
    for (let i = 0, place = 0; i < size; i += 1, place += 8) {
      const limb = Math.floor(place / BITS), value = data[at + i] << (place % BITS);
      limbs[limb] += value & LOW;
      if (limb + 1 < LIMBS) limbs[limb + 1] += value >>> BITS;
    }
  }

  function carry(limbs) {
    for (let i = 0, over = 0; i <= LIMBS; i += 1) { // the last one to the first again: 2 ** 130 is 5
      const limb = i % LIMBS;
      limbs[limb] += i === LIMBS ? 5 * over : over;
      over = limbs[limb] >>> BITS;
      limbs[limb] &= LOW;
      if (i === LIMBS) limbs[1] += over;
    }
  }

  function poly1305(key, data) {
    const r = new Uint32Array(LIMBS), h = new Uint32Array(LIMBS), product = new Uint32Array(LIMBS);
    const clamped = key.slice(0, 16).map((byte, i) => byte & (i % 4 === 3 ? 15 : i && i % 4 === 0 ? 252 : 255));
    addBytes(r, clamped, 0, 16);
    for (let at = 0; at < data.length; at += 16) {
      const size = Math.min(16, data.length - at), bit = 8 * size;
      addBytes(h, data, at, size);
      h[Math.floor(bit / BITS)] += 1 << (bit % BITS);
      carry(h);
      for (let i = 0; i < LIMBS; i += 1) {
        let sum = 0;
        for (let j = 0; j < LIMBS; j += 1) sum += h[j] * (j <= i ? r[i - j] : 5 * r[i - j + LIMBS]);
        product[i] = sum;
      }
      carry(product);
      h.set(product);
    }
    carry(h);
    carry(h);
    const less = h.slice(); // h + 5 - 2 ** 130, if that is not negative
    less[0] += 5;
    let over = 0;
    for (let i = 0; i < LIMBS; i += 1) {
      less[i] += over;
      over = less[i] >>> BITS;
      less[i] &= LOW;
    }
    const tag = new Uint8Array(TAG), mask = -over;
    for (let i = 0; i < LIMBS; i += 1) h[i] = (h[i] & ~mask) | (less[i] & mask);
    for (let i = 0, sum = 0; i < TAG; i += 1) {
      const place = 8 * i, limb = Math.floor(place / BITS);
      sum += (((h[limb] | ((h[limb + 1] ?? 0) << BITS)) >>> (place % BITS)) & 255) + key[16 + i];
      tag[i] = sum;
      sum >>>= 8;
    }
    return tag;
  }

  // AEAD_CHACHA20_POLY1305 (RFC 8439, 2.8).

  function tagOf(key, nonce, data, bound) {
    const filled = (part) => new Uint8Array(-part.length & 15), sizes = new DataView(new ArrayBuffer(16));
    sizes.setUint32(0, bound.length, true);
    sizes.setUint32(8, data.length, true);
    const all = new Uint8Array(bound.length + (-bound.length & 15) + data.length + (-data.length & 15) + 16);
    let at = 0;
    for (const part of [bound, filled(bound), data, filled(data), new Uint8Array(sizes.buffer)]) {
      all.set(part, at);
      at += part.length;
    }
    return poly1305(chacha20(key, 0, nonce, new Uint8Array(KEY)), all);
  }

  function encrypt(key, nonce, data, bound) {
    const hidden = chacha20(key, 1, nonce, data), out = new Uint8Array(data.length + TAG);
    out.set(hidden);
    out.set(tagOf(key, nonce, hidden, bound), data.length);
    return out;
  }

  function decrypt(key, nonce, data, bound) {
    if (data.length < TAG) throw new Broken("too short");
    const hidden = data.subarray(0, -TAG), tag = tagOf(key, nonce, hidden, bound);
    if (tag.reduce((sum, byte, i) => sum | (byte ^ data[hidden.length + i]), 0)) throw new Broken("a wrong tag");
    return chacha20(key, 1, nonce, hidden);
  }

  return { ascii, Broken, bytes, chacha20, decrypt, encrypt, hkdf, hmac, poly1305, sha256, x25519, BASE };
})();
