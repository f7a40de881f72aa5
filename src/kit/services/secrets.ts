import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Cryptography with the server's secret. The secret is stored outside the database and its backup, so that a copy of these gives no
 * access. It can be rotated: data sealed with a previous secret can be read as long as that one is configured, and is sealed again with the
 * current one.
 */
export class Secrets {
  readonly #secrets: readonly string[]
  readonly #keys = new Map<string, Buffer>()

  /** @param secrets the current one, then previous ones */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
  }

  /** The current secret and the previous ones. */
  get all(): readonly string[] {
    return this.#secrets
  }

  /** Encrypts a string, so that only a holder of the secret can read or change it. A string sealed for one purpose cannot be opened for another. */
  seal(purpose: string, text: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#secrets[0] as string, purpose), nonce)
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  /** The text that was sealed; undefined for any data that was not sealed here for this purpose. */
  open(purpose: string, sealed: Buffer): string | undefined {
    if (sealed.length < 28) return undefined
    for (const secret of this.#secrets) {
      const decipher = createDecipheriv('aes-256-gcm', this.#key(secret, purpose), sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(12, 28))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        // sealed with another secret, or not by this service
      }
    }
    return undefined
  }

  /** A keyed digest: without the secret it cannot be computed, nor the text guessed from it. */
  digest(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#key(this.#secrets[0] as string, purpose))
      .update(text)
      .digest()
  }

  #key(secret: string, purpose: string): Buffer {
    const name = `${purpose}\0${secret}`
    const derivedKey = this.#keys.get(name) ?? Buffer.from(hkdfSync('sha256', secret, '', `stockroom ${purpose}`, 32))
    this.#keys.set(name, derivedKey)
    return derivedKey
  }
}

/** A secret to hand out, of 256 random bits, in characters that are safe in a cookie or a URL. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256: stored in place of a secret that was handed out, which is found by it, or of a state, to distinguish it from others. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
