import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Operation } from '../../../kit/http/operation.ts'
import { startDemoWorkshop } from '../../../testing/objects/demo-workshop.ts'
import { accounts, PASSWORD } from '../demo/demo-accounts.ts'

// nothing may change between two reads
const { app } = await startDemoWorkshop(false)
const { operations } = app.routes

/** Whether a GET cannot be read together with others: it creates files, changes data or returns secrets. */
const isNotCombinable = ({ files, unsafe, containsSecret }: Operation) => Boolean(files || unsafe || containsSecret)

const buildUrl = ({ path, example: { params = {}, query } = {} }: Operation) =>
  `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 1)))}?${new URLSearchParams(query)}`

const gets = operations.filter(({ method }) => method === 'GET')

/** Removes what changes every second: the age of messages, and the sizes of the database and of the free space. */
const removeMeasures = (text: string) =>
  text.replaceAll(/"(age|age_human|free)":(\d+|"[^"]*")/g, '').replaceAll(/("database":\{[^}]*"size":)\d+/g, '$1')

type CombinedResponse = { status: number; body: unknown; etag?: string }

/** Reads URLs in groups of twenty: returns the combined responses, and the text of the bodies that contain them. */
async function readTogether(urls: readonly string[], headers: Record<string, string>) {
  const texts: string[] = []
  const responses: CombinedResponse[] = []
  for (let start = 0; start < urls.length; start += 20) {
    const group = urls.slice(start, start + 20)
    const requests = Object.fromEntries(group.map((url, index) => [`n${index}`, url]))
    const { statusCode, payload } = await app.inject({ method: 'POST', url: '/api/web/read/', headers, payload: { requests } })
    assert.equal(statusCode, 200, payload)
    responses.push(...Object.values(JSON.parse(payload) as Record<string, CombinedResponse>))
    texts.push(payload)
  }
  return { responses, text: texts.join('') }
}

describe('POST /api/web/read/ compared with GET', () => {
  for (const { username } of accounts) {
    it(`returns every GET of the interface byte for byte to ${username}`, async () => {
      const authorization = `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}`
      const urls = gets.map(buildUrl)
      const get = (url: string) => app.inject({ url, headers: { authorization } })
      // the first read of an account's own settings creates them
      for (const path of ['/api/settings/user/', '/api/settings/notification/']) await get(path)
      const { responses, text } = await readTogether(urls, { authorization })
      for (const [index, operation] of gets.entries()) {
        const url = urls[index] as string
        const combined = responses[index] as CombinedResponse
        if (isNotCombinable(operation)) {
          assert.equal(combined.status, 403, url)
          continue
        }
        const { statusCode, payload, headers } = await get(url)
        const body = `{"status":${statusCode},"body":${payload || 'null'}`
        assert.ok(removeMeasures(text).includes(removeMeasures(body)), `${url}: ${payload.slice(0, 300)}`)
        assert.deepEqual([combined.status, combined.etag], [statusCode, headers.etag], url)
      }
    })
  }

  it('includes the ETag of the detail in each row of every list', async () => {
    const authorization = `Basic ${Buffer.from(`demo:${PASSWORD}`).toString('base64')}`
    const lists = gets.filter(({ kind, path }) => kind === 'list' && gets.some((detail) => detail.path === `${path}{id}/`))
    assert.ok(lists.length > 60)
    const { responses } = await readTogether(
      lists.map((operation) => `${buildUrl(operation).split('?')[0]}?etag=true&limit=2`),
      { authorization },
    )
    const rows = responses.map(({ body }) => (body as { results: { pk?: number; id: number; etag: string }[] }).results)
    const details = await readTogether(
      lists.flatMap((operation, index) =>
        (rows[index] ?? []).map(({ pk, id }) => `${buildUrl(operation).split('?')[0]}${pk ?? id}/`),
      ),
      { authorization },
    )
    assert.deepEqual(
      rows.flat().map(({ etag }) => etag),
      details.responses.map(({ etag }) => etag),
    )
  })
})
