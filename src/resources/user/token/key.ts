import { createHmac } from 'node:crypto'

/**
 * Derives the key of a token from the server's secret and the token's own random salt, so that repeated requests return the same key, and
 * the database alone reveals none. The format is that of InvenTree: 53 characters, ending with the creation date.
 */
export function deriveKey(secret: string, salt: Buffer, created: string): string {
  const digest = createHmac('sha256', secret).update('api token').update(salt).digest('hex').slice(0, 40)
  return `inv-${digest}-${created.slice(0, 10).replaceAll('-', '')}`
}
