import { createHmac } from 'node:crypto'

/**
 * The key of a token: derived from the server's secret and the token's own random salt, so that asking again gives the
 * same key, and the database alone gives none. The form is that of the existing system: 53 characters, ending with the
 * day it was made.
 */
export function deriveKey(secret: string, salt: Buffer, created: string): string {
  const digest = createHmac('sha256', secret).update('api token').update(salt).digest('hex').slice(0, 40)
  return `inv-${digest}-${created.slice(0, 10).replaceAll('-', '')}`
}
