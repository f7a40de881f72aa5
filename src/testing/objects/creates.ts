import assert from 'node:assert/strict'
import type { Client } from '../service.ts'

/** Creates objects by POST as a client, which must be permitted to create them; returns their keys. */
export const createObjectsAs =
  (client: Client) =>
  async (path: string, body: object): Promise<number> => {
    const response = await client.post(path, body)
    assert.equal(response.status, 201, response.text)
    return response.body.pk
  }
