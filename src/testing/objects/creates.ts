import assert from 'node:assert/strict'
import type { Client } from '../service.ts'

/** Returns a function that creates an object by POST as this client, which must be permitted to do so, and returns its key. */
export const createObjectsAs =
  (client: Client) =>
  async (path: string, body: object): Promise<number> => {
    const response = await client.post(path, body)
    assert.equal(response.status, 201, response.text)
    // new stock items are returned as a list
    return (Array.isArray(response.body) ? response.body[0] : response.body).pk
  }
