import assert from 'node:assert/strict'
import type { Client } from '../service.ts'

/** Creates objects by POST as a client, which must be permitted to create them; returns their keys. */
export const makes =
  (client: Client) =>
  async (path: string, body: object): Promise<number> => {
    const answer = await client.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.pk
  }
