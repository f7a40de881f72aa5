import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, type CallerName, type Client, testService } from '../../../testing/service.ts'
import { useLink } from '../links.ts'
import { verifyAddress } from './addresses.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, MAIL_AGAIN_SECONDS: '0' })
const { member, superuser } = service
const { database } = service.app.routes.services
const path = '/api/auth/emails/'

type Account = Exclude<CallerName, 'anonymous'>
const everyone = CALLERS.slice(1) as Account[]
const pkOf = (name: Account) => service.getPk(name)

beforeEach(async () => {
  await mail.waitUntilIdle(service)
  mail.emails.length = 0
  await service.rows('delete from email_address')
  await service.rows('delete from outgoing_mail')
  await service.rows('delete from security_event')
  await service.rows("update user_account set email = ''")
})

const add = async (name: Account, email: string): Promise<number> => {
  const { status, body, text } = await service[name].post(path, { email, user: pkOf(name) })
  assert.equal(status, 201, text)
  return body.id
}
const context = (tx: any) => ({ ...service.app.routes.services, tx })
const verified = (pk: number) => database.transaction((tx) => verifyAddress(context(tx), pk))
const primary = (client: Client, pk: number) => client.post(`${path}${pk}/primary/`)
const list = async (client: Client) => (await client.get(path)).body.results
const ownAddressOf = async (name: Account) => (await service[name].get('/api/user/me/')).body.email
const events = async () =>
  (await service.rows('select kind, "user", actor, details from security_event order by pk')).map(({ kind }) => kind)
const state = () => service.rows('select * from email_address order by pk')

describe('GET /api/auth/emails/', () => {
  it("lists only the caller's own addresses, in pages, in the order of id", async () => {
    const ids = [await add('member', 'one@a.example'), await add('member', 'two@a.example')]
    await add('viewer', 'three@a.example')
    const { body } = await member.get(path)
    assert.deepEqual(body, {
      count: 2,
      next: null,
      previous: null,
      results: [
        { id: ids[0], email: 'one@a.example', verified: false, primary: false, user: pkOf('member') },
        { id: ids[1], email: 'two@a.example', verified: false, primary: false, user: pkOf('member') },
      ],
    })
    const page = (await member.get(`${path}?limit=1&offset=1&ordering=-id`)).body
    assert.deepEqual([page.count, page.results[0].id, page.next], [2, ids[0], null])
    assert.match(page.previous, /limit=1/)
    assert.deepEqual(await list(superuser), [])
  })

  it('describes the fields of a new address to existing clients', async () => {
    const { POST } = (await member.send('OPTIONS', path)).body.actions
    assert.deepEqual(Object.keys(POST), ['id', 'email', 'verified', 'primary', 'user'])
    assert.deepEqual([POST.email.type, POST.email.max_length, POST.email.required], ['email', 254, true])
    assert.deepEqual([POST.verified.read_only, POST.verified.default, POST.user.api_url], [false, false, '/api/user/'])
  })

  it('is available to everyone with an account', () => assertCallers(service, (client) => client.get(path), everyone))
})

describe('POST /api/auth/emails/', () => {
  it('adds an address that is neither verified nor primary, whatever the body states, and mails its link', async () => {
    const { status, body } = await member.post(path, {
      email: ' New@a.example ',
      user: String(pkOf('member')),
      verified: true,
      primary: true,
    })
    assert.equal(status, 201)
    assert.deepEqual(body, { id: body.id, email: 'New@a.example', verified: false, primary: false, user: pkOf('member') })
    assert.deepEqual(await list(member), [body])
    assert.deepEqual(await events(), ['address_added'])
    assert.equal(await ownAddressOf('member'), '')

    const { token } = await mail.next('New@a.example')
    await database.transaction(async (tx) => {
      const link = await useLink(tx, 'verify', token)
      assert.deepEqual([link?.user, link?.address], [pkOf('member'), 'New@a.example'])
      assert.equal(await verifyAddress(context(tx), body.id), true)
    })
    assert.deepEqual(await list(member), [{ ...body, verified: true, primary: true }])
  })

  it('rejects missing and invalid addresses, reporting all errors together', async () => {
    const before = await state()
    const { status, body } = await member.post(path, {})
    assert.deepEqual([status, Object.keys(body)], [400, ['email', 'user']])
    for (const email of ['no mail', 'a@b', 'a@b.example\r\nBcc: c@d.example', `${'x'.repeat(250)}@a.example`, null, '', {}, true])
      assert.deepEqual(Object.keys((await member.post(path, { email, user: pkOf('member') })).body), ['email'], String(email))
    assert.deepEqual(await state(), before)
  })

  it('rejects another account and an unknown one with the same text', async () => {
    const other = await member.post(path, { email: 'a@a.example', user: pkOf('viewer') })
    const unknown = await member.post(path, { email: 'a@a.example', user: 99999 })
    assert.deepEqual([other.status, unknown.status], [400, 400])
    assert.equal(other.text.replace(String(pkOf('viewer')), '99999'), unknown.text)
    assert.ok(other.body.user)
    assert.deepEqual(await state(), [])
    assert.deepEqual(mail.emails, [])
  })

  it('lets a superuser add an address to another account, which has it then', async () => {
    const { status, body } = await superuser.post(path, { email: 'given@a.example', user: pkOf('member') })
    assert.equal(status, 201)
    assert.deepEqual(await list(superuser), [])
    assert.deepEqual(await list(member), [body])
    await mail.next('given@a.example')
    const [event] = await service.rows('select "user", actor from security_event order by pk')
    assert.deepEqual(event, { user: pkOf('member'), actor: pkOf('superuser') })
    assert.equal((await superuser.post(path, { email: 'given@a.example', user: 99999 })).status, 400)
  })

  it('rejects an address that the account already has, ignoring case', async () => {
    await add('member', 'one@a.example')
    const { status, body } = await member.post(path, { email: 'ONE@a.example', user: pkOf('member') })
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.equal((await state()).length, 1)
  })

  it('does not reveal whether another account has the address', async () => {
    await verified(await add('viewer', 'taken@a.example'))
    const existingResponse = await member.post(path, { email: 'taken@a.example', user: pkOf('member') })
    const newResponse = await member.post(path, { email: 'free@a.example', user: pkOf('member') })
    assert.deepEqual(
      [existingResponse.status, Object.keys(existingResponse.body)],
      [newResponse.status, Object.keys(newResponse.body)],
    )
  })

  it('accepts one of two concurrent requests that add the same address', async () => {
    const body = { email: 'race@a.example', user: pkOf('member') }
    const responses = await Promise.all([member.post(path, body), member.post(path, body)])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400])
  })

  it('limits an account to fifty addresses, even after removing some on the same day', async () => {
    await service.rows(
      `insert into email_address ("user", email) select $1, 'a' || n || '@a.example' from generate_series(1, 49) n`,
      [pkOf('member')],
    )
    const last = await add('member', 'last@a.example')
    const body = { email: 'more@a.example', user: pkOf('member') }
    assert.deepEqual(Object.keys((await member.post(path, body)).body), ['email'])
    assert.equal((await member.post(`${path}${last}/remove/`)).status, 200)
    await service.rows(`insert into security_event (kind, "user") select 'address_added', $1 from generate_series(1, 49)`, [
      pkOf('member'),
    ])
    assert.equal((await member.post(path, body)).status, 400)
    await service.rows("update security_event set created = now() - interval '25 hours'")
    assert.equal((await member.post(path, body)).status, 201)
  })

  it('accepts concurrent requests only up to the limit', async () => {
    await service.rows(
      `insert into email_address ("user", email) select $1, 'a' || n || '@a.example' from generate_series(1, 48) n`,
      [pkOf('member')],
    )
    const bodies = Array.from({ length: 8 }, (_, n) => ({ email: `many${n}@a.example`, user: pkOf('member') }))
    const responses = await Promise.all(bodies.map((body) => member.post(path, body)))
    assert.equal(responses.filter(({ status }) => status === 201).length, 2)
  })

  it('is available to everyone with an account', () =>
    assertCallers(service, (client) => client.post(path, { email: 'x@a.example', user: 99999 }), everyone, state))
})

describe('POST /api/auth/emails/{id}/primary/', () => {
  it("moves the flag, and the account's own address with it", async () => {
    const one = await add('member', 'one@a.example')
    const two = await add('member', 'two@a.example')
    await verified(one)
    await verified(two)
    assert.equal(await ownAddressOf('member'), 'one@a.example')
    const { status, body } = await primary(member, two)
    assert.deepEqual(
      [status, body],
      [200, { id: two, email: 'two@a.example', verified: true, primary: true, user: pkOf('member') }],
    )
    assert.deepEqual(
      (await list(member)).map((row: { primary: boolean }) => row.primary),
      [false, true],
    )
    assert.equal(await ownAddressOf('member'), 'two@a.example')
    assert.equal((await events()).at(-1), 'address_primary')
  })

  it('notifies the former address', async () => {
    const one = await add('member', 'one@a.example')
    await mail.next('one@a.example')
    await verified(one)
    const two = await add('member', 'two@a.example')
    await verified(two)
    await primary(member, two)
    assert.match((await mail.next('one@a.example')).subject, /address was changed/)
  })

  it('does nothing if it is the primary one already', async () => {
    const one = await add('member', 'one@a.example')
    await verified(one)
    const before = await events()
    assert.equal((await primary(member, one)).body.primary, true)
    assert.deepEqual(await events(), before)
  })

  it('accepts an unverified one while there is no verified one, but never instead of a verified one', async () => {
    const one = await add('member', 'one@a.example')
    const two = await add('member', 'two@a.example')
    assert.equal((await primary(member, one)).status, 200)
    assert.equal((await primary(member, two)).status, 200)
    await verified(two)
    const before = await state()
    const { status, body } = await primary(member, one)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.deepEqual(await state(), before)
    assert.equal(await ownAddressOf('member'), 'two@a.example')
  })

  it('makes an unverified one the own address only if there is none; otherwise once it is verified', async () => {
    const one = await add('member', 'one@a.example')
    await primary(member, one)
    assert.equal(await ownAddressOf('member'), 'one@a.example')
    await service.rows("update user_account set email = 'old@a.example' where pk = $1", [pkOf('member')])
    const two = await add('member', 'two@a.example')
    assert.equal((await primary(member, two)).body.primary, true)
    assert.equal(await ownAddressOf('member'), 'old@a.example')
    await verified(two)
    assert.equal(await ownAddressOf('member'), 'two@a.example')
    assert.match((await mail.next('old@a.example')).subject, /address was changed/)
  })

  it('leaves one primary address after concurrent requests', async () => {
    const all = await Promise.all(['one', 'two', 'three', 'four'].map((name) => add('member', `${name}@a.example`)))
    const responses = await Promise.all(all.map((pk) => primary(member, pk)))
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    assert.equal((await list(member)).filter((row: { primary: boolean }) => row.primary).length, 1)
  })
})

describe('POST /api/auth/emails/{id}/remove/', () => {
  const remove = (client: Client, pk: number) => client.post(`${path}${pk}/remove/`)

  it('removes an address and returns it as it was', async () => {
    const one = await add('member', 'one@a.example')
    const [before] = await list(member)
    const { status, body } = await remove(member, one)
    assert.deepEqual([status, body], [200, before])
    assert.deepEqual(await list(member), [])
    assert.equal((await events()).at(-1), 'address_removed')
    assert.equal((await remove(member, one)).status, 404)
  })

  it('rejects the primary one while there are others; as the last one it is removed together with the own address', async () => {
    const one = await add('member', 'one@a.example')
    await verified(one)
    const two = await add('member', 'two@a.example')
    const before = await state()
    const { status, body } = await remove(member, one)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.deepEqual(await state(), before)
    assert.equal((await remove(member, two)).status, 200)
    assert.equal((await remove(member, one)).status, 200)
    assert.equal(await ownAddressOf('member'), '')
  })

  it('replaces the own address even if that was not the primary one', async () => {
    const one = await add('member', 'one@a.example')
    await primary(member, one)
    const two = await add('member', 'two@a.example')
    await primary(member, two)
    assert.equal(await ownAddressOf('member'), 'one@a.example')
    await remove(member, one)
    assert.equal(await ownAddressOf('member'), 'two@a.example')
  })

  it('invalidates a link that was mailed to it', async () => {
    const one = await add('member', 'one@a.example')
    const { token } = await mail.next('one@a.example')
    await remove(member, one)
    assert.equal(await database.transaction((tx) => useLink(tx, 'verify', token)), undefined)
  })

  it('returns no id to existing clients', async () => {
    const other = await testService({ WIRE_FORM: 'inventree' })
    const { body } = await other.member.post(path, { email: 'one@a.example', user: other.getPk('member') })
    assert.deepEqual((await other.member.get(path)).body, [body])
    assert.deepEqual((await remove(other.member, body.id)).body, { ...body, id: null })
  })
})

describe('POST /api/auth/emails/{id}/verify/', () => {
  const verify = (client: Client, pk: number) => client.post(`${path}${pk}/verify/`)

  it('mails a new link, and verifies nothing itself', async () => {
    const one = await add('member', 'one@a.example')
    const { token: first } = await mail.next('one@a.example')
    const { status, body } = await verify(member, one)
    assert.deepEqual([status, body.verified], [200, false])
    const { token } = await mail.next('one@a.example')
    await database.transaction(async (tx) => {
      assert.equal(await useLink(tx, 'verify', first), undefined)
      assert.equal((await useLink(tx, 'verify', token))?.user, pkOf('member'))
    })
  })

  it('mails nothing for one that is verified', async () => {
    const one = await add('member', 'one@a.example')
    await verified(one)
    const countMails = async () => (await service.rows('select count(*)::integer as count from outgoing_mail'))[0].count
    const before = await countMails()
    assert.deepEqual((await verify(member, one)).body.verified, true)
    assert.equal(await countMails(), before)
  })

  it('sends no mail when repeated too soon, with the same response', async () => {
    const other = await testService({ SMTP_URL: mail.url, MAIL_AGAIN_SECONDS: '60' })
    const { body } = await other.member.post(path, { email: 'soon@a.example', user: other.getPk('member') })
    for (let times = 0; times < 3; times++) assert.deepEqual((await verify(other.member, body.id)).body, body)
    await mail.next('soon@a.example')
    await mail.waitUntilIdle(other)
    assert.equal(mail.emails.length, 1)
  })
})

describe('access to one email address', () => {
  for (const name of ['primary', 'remove', 'verify']) {
    it(`POST {id}/${name}/: 404 for the address of another account, even for a superuser, and for an unknown one; 401 for an anonymous caller`, async () => {
      const one = await add('member', 'one@a.example')
      await mail.next('one@a.example')
      const before = await state()
      for (const caller of everyone.filter((other) => other !== 'member'))
        assert.equal((await service[caller].post(`${path}${one}/${name}/`)).status, 404, caller)
      assert.equal((await service.anonymous.post(`${path}${one}/${name}/`)).status, 401)
      for (const id of [99999, 0]) assert.equal((await member.post(`${path}${id}/${name}/`)).status, 404)
      await mail.waitUntilIdle(service)
      assert.deepEqual(await state(), before)
      assert.equal(mail.emails.length, 1)
      await assertCallers(service, (client) => client.post(`${path}99999/${name}/`), everyone, state)
    })
  }
})
