import assert from 'node:assert/strict'
import type { Client } from '../service.ts'

/** Makes objects by POST in the name of a client, which must be let make each; gives their keys. */
export const makes =
  (client: Client) =>
  async (path: string, body: object): Promise<number> => {
    const answer = await client.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.pk
  }
