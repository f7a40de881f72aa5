import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * What is done with the server's secret. It lies outside the database and its backup (decision 39). It can be rotated: what
 * was made under a former secret is still read as long as that one is named, and made anew under the present one.
 */
export class Secrets {
  readonly #secrets: readonly string[]
  readonly #keys = new Map<string, Buffer>()

  /** @param secrets the present one, then former ones */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
  }

  /** The present secret and the former ones. */
  get all(): readonly string[] {
    return this.#secrets
  }

  /** Encrypts a text, so that only who has the secret reads or changes it. What is sealed for one purpose opens for no other. */
  seal(purpose: string, text: string): Buffer {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#secrets[0] as string, purpose), nonce)
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  /** The text that was sealed; undefined for anything that was not sealed here for this purpose. */
  open(purpose: string, sealed: Buffer): string | undefined {
    if (sealed.length < 28) return undefined
    for (const secret of this.#secrets) {
      const decipher = createDecipheriv('aes-256-gcm', this.#key(secret, purpose), sealed.subarray(0, 12))
      decipher.setAuthTag(sealed.subarray(12, 28))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        // sealed under another secret, or not by us
      }
    }
    return undefined
  }

  /** A digest that nobody can work out, or guess the text from, without the secret. */
  digest(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#key(this.#secrets[0] as string, purpose))
      .update(text)
      .digest()
  }

  #key(secret: string, purpose: string): Buffer {
    const name = `${purpose}\0${secret}`
    const known = this.#keys.get(name) ?? Buffer.from(hkdfSync('sha256', secret, '', `stockroom ${purpose}`, 32))
    this.#keys.set(name, known)
    return known
  }
}

/** A secret to hand out, of 256 random bits, in letters that stand in a cookie or an address. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256: what is stored of a secret that was handed out, to find it by, or of a state, to tell it from another. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
