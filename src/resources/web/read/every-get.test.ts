import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accounts, PASSWORD } from '../../../demo/data/people.ts'
import type { Operation } from '../../../kit/http/operation.ts'
import { demoWorkshop } from '../../../testing/objects/demo-workshop.ts'

// nothing is to change between two readings
const { app } = await demoWorkshop(false)
const { operations } = app.routes

/** What is not answered together with others: what makes files, changes something or gives out secrets */
const isAlone = ({ files, unsafe, holdsSecret }: Operation) => Boolean(files || unsafe || holdsSecret)

const addressOf = ({ path, example: { params = {}, query } = {} }: Operation) =>
  `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? 1)))}?${new URLSearchParams(query)}`

const gets = operations.filter(({ method }) => method === 'GET')

/** How old a message is changes with every second. */
const withoutAge = (text: string) => text.replaceAll(/"age(_human)?":(\d+|"[^"]*")/g, '')

type Answered = { status: number; body: unknown; etag?: string }

/** What the GETs are answered, asked in groups of twenty: the text of each body as it stands in the answer. */
async function together(addresses: readonly string[], headers: Record<string, string>) {
  const texts: string[] = []
  const answers: Answered[] = []
  for (let at = 0; at < addresses.length; at += 20) {
    const group = addresses.slice(at, at + 20)
    const requests = Object.fromEntries(group.map((address, index) => [`n${index}`, address]))
    const { statusCode, payload } = await app.inject({ method: 'POST', url: '/api/web/read/', headers, payload: { requests } })
    assert.equal(statusCode, 200, payload)
    answers.push(...Object.values(JSON.parse(payload) as Record<string, Answered>))
    texts.push(payload)
  }
  return { answers, text: texts.join('') }
}

describe('POST /api/web/read/ beside GET', () => {
  for (const { username } of accounts) {
    it(`answers ${username} every GET of the interface byte for byte`, async () => {
      const authorization = `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString('base64')}`
      const addresses = gets.map(addressOf)
      const ask = (url: string) => app.inject({ url, headers: { authorization } })
      // the first reading of one's own settings makes them
      for (const path of ['/api/settings/user/', '/api/settings/notification/']) await ask(path)
      const { answers, text } = await together(addresses, { authorization })
      for (const [at, operation] of gets.entries()) {
        const url = addresses[at] as string
        const answer = answers[at] as Answered
        if (isAlone(operation)) {
          assert.equal(answer.status, 403, url)
          continue
        }
        const { statusCode, payload, headers } = await ask(url)
        const body = `{"status":${statusCode},"body":${payload || 'null'}`
        assert.ok(withoutAge(text).includes(withoutAge(body)), `${url}: ${payload.slice(0, 300)}`)
        assert.deepEqual([answer.status, answer.etag], [statusCode, headers.etag], url)
      }
    })
  }

  it('shows with each row of every list the ETag of its detail', async () => {
    const authorization = `Basic ${Buffer.from(`demo:${PASSWORD}`).toString('base64')}`
    const lists = gets.filter(({ kind, path }) => kind === 'list' && gets.some((one) => one.path === `${path}{id}/`))
    assert.ok(lists.length > 60)
    const { answers } = await together(
      lists.map(({ path }) => `${path}?etag=true&limit=2`),
      { authorization },
    )
    const rows = answers.map(({ body }) => (body as { results: { pk: number; etag: string }[] }).results)
    const details = await together(
      lists.flatMap(({ path }, at) => (rows[at] ?? []).map(({ pk }) => `${path}${pk}/`)),
      { authorization },
    )
    assert.deepEqual(
      rows.flat().map(({ etag }) => etag),
      details.answers.map(({ etag }) => etag),
    )
  })
})
