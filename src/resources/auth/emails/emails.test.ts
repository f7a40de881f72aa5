import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, CALLERS, type CallerName, type Client, testService } from '../../../testing/service.ts'
import { useLink } from '../links.ts'
import { verifyAddress } from './addresses.ts'

const mailServer = await startTestMailServer()
const service = await testService({ SMTP_URL: mailServer.url, MAIL_AGAIN_SECONDS: '0' })
const { member, superuser } = service
const { database } = service.app.routes.services
const path = '/api/auth/emails/'

type Account = Exclude<CallerName, 'anonymous'>
const accounts = CALLERS.slice(1) as Account[]
const getPk = (name: Account) => service.getPk(name)

beforeEach(async () => {
  await mailServer.waitUntilIdle(service)
  mailServer.emails.length = 0
  await service.rows('delete from email_address')
  await service.rows('delete from outgoing_mail')
  await service.rows('delete from security_event')
  await service.rows("update user_account set email = ''")
})

const add = async (name: Account, email: string): Promise<number> => {
  const { status, body, text } = await service[name].post(path, { email, user: getPk(name) })
  assert.equal(status, 201, text)
  return body.id
}
const createContext = (tx: any) => ({ ...service.app.routes.services, tx })
const markVerified = (pk: number) => database.transaction((tx) => verifyAddress(createContext(tx), pk))
const makePrimary = (client: Client, pk: number) => client.post(`${path}${pk}/primary/`)
const listAddresses = async (client: Client) => (await client.get(path)).body.results
const readOwnAddress = async (name: Account) => (await service[name].get('/api/user/me/')).body.email
const listEvents = async () =>
  (await service.rows('select kind, "user", actor, details from security_event order by pk')).map(({ kind }) => kind)
const readAddresses = () => service.rows('select * from email_address order by pk')

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
        { id: ids[0], email: 'one@a.example', verified: false, primary: false, user: getPk('member') },
        { id: ids[1], email: 'two@a.example', verified: false, primary: false, user: getPk('member') },
      ],
    })
    const page = (await member.get(`${path}?limit=1&offset=1&ordering=-id`)).body
    assert.deepEqual([page.count, page.results[0].id, page.next], [2, ids[0], null])
    assert.match(page.previous, /limit=1/)
    assert.deepEqual(await listAddresses(superuser), [])
  })

  it('describes the fields of a new address to existing clients', async () => {
    const { POST } = (await member.send('OPTIONS', path)).body.actions
    assert.deepEqual(Object.keys(POST), ['id', 'email', 'verified', 'primary', 'user'])
    assert.deepEqual([POST.email.type, POST.email.max_length, POST.email.required], ['email', 254, true])
    assert.deepEqual([POST.verified.read_only, POST.verified.default, POST.user.api_url], [false, false, '/api/user/'])
  })

  it('is available to everyone with an account', () => assertCallers(service, (client) => client.get(path), accounts))
})

describe('POST /api/auth/emails/', () => {
  it('adds an address that is neither verified nor primary, whatever the body states, and emails its link', async () => {
    const { status, body } = await member.post(path, {
      email: ' New@a.example ',
      user: String(getPk('member')),
      verified: true,
      primary: true,
    })
    assert.equal(status, 201)
    assert.deepEqual(body, { id: body.id, email: 'New@a.example', verified: false, primary: false, user: getPk('member') })
    assert.deepEqual(await listAddresses(member), [body])
    assert.deepEqual(await listEvents(), ['address_added'])
    assert.equal(await readOwnAddress('member'), '')

    const { token } = await mailServer.next('New@a.example')
    await database.transaction(async (tx) => {
      const link = await useLink(tx, 'verify', token)
      assert.deepEqual([link?.user, link?.address], [getPk('member'), 'New@a.example'])
      assert.equal(await verifyAddress(createContext(tx), body.id), true)
    })
    assert.deepEqual(await listAddresses(member), [{ ...body, verified: true, primary: true }])
  })

  it('rejects missing and invalid addresses, reporting all errors together', async () => {
    const before = await readAddresses()
    const { status, body } = await member.post(path, {})
    assert.deepEqual([status, Object.keys(body)], [400, ['email', 'user']])
    for (const email of ['no mail', 'a@b', 'a@b.example\r\nBcc: c@d.example', `${'x'.repeat(250)}@a.example`, null, '', {}, true])
      assert.deepEqual(Object.keys((await member.post(path, { email, user: getPk('member') })).body), ['email'], String(email))
    assert.deepEqual(await readAddresses(), before)
  })

  it('rejects another account and an unknown one with the same error', async () => {
    const other = await member.post(path, { email: 'a@a.example', user: getPk('viewer') })
    const unknown = await member.post(path, { email: 'a@a.example', user: 99999 })
    assert.deepEqual([other.status, unknown.status], [400, 400])
    assert.equal(other.text.replace(String(getPk('viewer')), '99999'), unknown.text)
    assert.ok(other.body.user)
    assert.deepEqual(await readAddresses(), [])
    assert.deepEqual(mailServer.emails, [])
  })

  it('lets a superuser add an address to another account', async () => {
    const { status, body } = await superuser.post(path, { email: 'given@a.example', user: getPk('member') })
    assert.equal(status, 201)
    assert.deepEqual(await listAddresses(superuser), [])
    assert.deepEqual(await listAddresses(member), [body])
    await mailServer.next('given@a.example')
    const [event] = await service.rows('select "user", actor from security_event order by pk')
    assert.deepEqual(event, { user: getPk('member'), actor: getPk('superuser') })
    assert.equal((await superuser.post(path, { email: 'given@a.example', user: 99999 })).status, 400)
  })

  it('rejects an address that the account already has, ignoring case', async () => {
    await add('member', 'one@a.example')
    const { status, body } = await member.post(path, { email: 'ONE@a.example', user: getPk('member') })
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.equal((await readAddresses()).length, 1)
  })

  it('does not reveal whether another account has the address', async () => {
    await markVerified(await add('viewer', 'taken@a.example'))
    const existingResponse = await member.post(path, { email: 'taken@a.example', user: getPk('member') })
    const newResponse = await member.post(path, { email: 'free@a.example', user: getPk('member') })
    assert.deepEqual(
      [existingResponse.status, Object.keys(existingResponse.body)],
      [newResponse.status, Object.keys(newResponse.body)],
    )
  })

  it('accepts one of two concurrent requests that add the same address', async () => {
    const body = { email: 'race@a.example', user: getPk('member') }
    const responses = await Promise.all([member.post(path, body), member.post(path, body)])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400])
  })

  it('limits an account to fifty addresses, even after removing some on the same day', async () => {
    await service.rows(
      `insert into email_address ("user", email) select $1, 'a' || n || '@a.example' from generate_series(1, 49) n`,
      [getPk('member')],
    )
    const last = await add('member', 'last@a.example')
    const body = { email: 'more@a.example', user: getPk('member') }
    assert.deepEqual(Object.keys((await member.post(path, body)).body), ['email'])
    assert.equal((await member.post(`${path}${last}/remove/`)).status, 200)
    await service.rows(`insert into security_event (kind, "user") select 'address_added', $1 from generate_series(1, 49)`, [
      getPk('member'),
    ])
    assert.equal((await member.post(path, body)).status, 400)
    await service.rows("update security_event set created = now() - interval '25 hours'")
    assert.equal((await member.post(path, body)).status, 201)
  })

  it('accepts concurrent requests only up to the limit', async () => {
    await service.rows(
      `insert into email_address ("user", email) select $1, 'a' || n || '@a.example' from generate_series(1, 48) n`,
      [getPk('member')],
    )
    const bodies = Array.from({ length: 8 }, (_, n) => ({ email: `many${n}@a.example`, user: getPk('member') }))
    const responses = await Promise.all(bodies.map((body) => member.post(path, body)))
    assert.equal(responses.filter(({ status }) => status === 201).length, 2)
  })

  it('is available to everyone with an account', () =>
    assertCallers(service, (client) => client.post(path, { email: 'x@a.example', user: 99999 }), accounts, readAddresses))
})

describe('POST /api/auth/emails/{id}/primary/', () => {
  it("moves the flag, and the account's own address with it", async () => {
    const one = await add('member', 'one@a.example')
    const two = await add('member', 'two@a.example')
    await markVerified(one)
    await markVerified(two)
    assert.equal(await readOwnAddress('member'), 'one@a.example')
    const { status, body } = await makePrimary(member, two)
    assert.deepEqual(
      [status, body],
      [200, { id: two, email: 'two@a.example', verified: true, primary: true, user: getPk('member') }],
    )
    assert.deepEqual(
      (await listAddresses(member)).map((row: { primary: boolean }) => row.primary),
      [false, true],
    )
    assert.equal(await readOwnAddress('member'), 'two@a.example')
    assert.equal((await listEvents()).at(-1), 'address_primary')
  })

  it('notifies the previous address', async () => {
    const one = await add('member', 'one@a.example')
    await mailServer.next('one@a.example')
    await markVerified(one)
    const two = await add('member', 'two@a.example')
    await markVerified(two)
    await makePrimary(member, two)
    assert.match((await mailServer.next('one@a.example')).subject, /address was changed/)
  })

  it('does nothing if it is the primary one already', async () => {
    const one = await add('member', 'one@a.example')
    await markVerified(one)
    const before = await listEvents()
    assert.equal((await makePrimary(member, one)).body.primary, true)
    assert.deepEqual(await listEvents(), before)
  })

  it('accepts an unverified one while there is no verified one, but never instead of a verified one', async () => {
    const one = await add('member', 'one@a.example')
    const two = await add('member', 'two@a.example')
    assert.equal((await makePrimary(member, one)).status, 200)
    assert.equal((await makePrimary(member, two)).status, 200)
    await markVerified(two)
    const before = await readAddresses()
    const { status, body } = await makePrimary(member, one)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.deepEqual(await readAddresses(), before)
    assert.equal(await readOwnAddress('member'), 'two@a.example')
  })

  it("makes an unverified one the account's own address only if there is none; otherwise once it is verified", async () => {
    const one = await add('member', 'one@a.example')
    await makePrimary(member, one)
    assert.equal(await readOwnAddress('member'), 'one@a.example')
    await service.rows("update user_account set email = 'old@a.example' where pk = $1", [getPk('member')])
    const two = await add('member', 'two@a.example')
    assert.equal((await makePrimary(member, two)).body.primary, true)
    assert.equal(await readOwnAddress('member'), 'old@a.example')
    await markVerified(two)
    assert.equal(await readOwnAddress('member'), 'two@a.example')
    assert.match((await mailServer.next('old@a.example')).subject, /address was changed/)
  })

  it('leaves one primary address after concurrent requests', async () => {
    const all = await Promise.all(['one', 'two', 'three', 'four'].map((name) => add('member', `${name}@a.example`)))
    const responses = await Promise.all(all.map((pk) => makePrimary(member, pk)))
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    assert.equal((await listAddresses(member)).filter((row: { primary: boolean }) => row.primary).length, 1)
  })
})

describe('POST /api/auth/emails/{id}/remove/', () => {
  const remove = (client: Client, pk: number) => client.post(`${path}${pk}/remove/`)

  it('removes an address and returns its last values', async () => {
    const one = await add('member', 'one@a.example')
    const [before] = await listAddresses(member)
    const { status, body } = await remove(member, one)
    assert.deepEqual([status, body], [200, before])
    assert.deepEqual(await listAddresses(member), [])
    assert.equal((await listEvents()).at(-1), 'address_removed')
    assert.equal((await remove(member, one)).status, 404)
  })

  it("rejects the primary one while there are others; as the last one it is removed together with the account's own address", async () => {
    const one = await add('member', 'one@a.example')
    await markVerified(one)
    const two = await add('member', 'two@a.example')
    const before = await readAddresses()
    const { status, body } = await remove(member, one)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.deepEqual(await readAddresses(), before)
    assert.equal((await remove(member, two)).status, 200)
    assert.equal((await remove(member, one)).status, 200)
    assert.equal(await readOwnAddress('member'), '')
  })

  it("replaces the account's own address even if that was not the primary one", async () => {
    const one = await add('member', 'one@a.example')
    await makePrimary(member, one)
    const two = await add('member', 'two@a.example')
    await makePrimary(member, two)
    assert.equal(await readOwnAddress('member'), 'one@a.example')
    await remove(member, one)
    assert.equal(await readOwnAddress('member'), 'two@a.example')
  })

  it('invalidates a link that was emailed to it', async () => {
    const one = await add('member', 'one@a.example')
    const { token } = await mailServer.next('one@a.example')
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

  it('emails a new link, and verifies nothing itself', async () => {
    const one = await add('member', 'one@a.example')
    const { token: first } = await mailServer.next('one@a.example')
    const { status, body } = await verify(member, one)
    assert.deepEqual([status, body.verified], [200, false])
    const { token } = await mailServer.next('one@a.example')
    await database.transaction(async (tx) => {
      assert.equal(await useLink(tx, 'verify', first), undefined)
      assert.equal((await useLink(tx, 'verify', token))?.user, getPk('member'))
    })
  })

  it('sends no email for one that is verified', async () => {
    const one = await add('member', 'one@a.example')
    await markVerified(one)
    const countEmails = async () => (await service.rows('select count(*)::integer as count from outgoing_mail'))[0].count
    const before = await countEmails()
    assert.deepEqual((await verify(member, one)).body.verified, true)
    assert.equal(await countEmails(), before)
  })

  it('sends no email when repeated too soon, with the same response', async () => {
    const other = await testService({ SMTP_URL: mailServer.url, MAIL_AGAIN_SECONDS: '60' })
    const { body } = await other.member.post(path, { email: 'soon@a.example', user: other.getPk('member') })
    for (let times = 0; times < 3; times++) assert.deepEqual((await verify(other.member, body.id)).body, body)
    await mailServer.next('soon@a.example')
    await mailServer.waitUntilIdle(other)
    assert.equal(mailServer.emails.length, 1)
  })
})

describe('access to one email address', () => {
  for (const name of ['primary', 'remove', 'verify']) {
    it(`POST {id}/${name}/: 404 for the address of another account, even for a superuser, and for an unknown one; 401 for an anonymous caller`, async () => {
      const one = await add('member', 'one@a.example')
      await mailServer.next('one@a.example')
      const before = await readAddresses()
      for (const caller of accounts.filter((other) => other !== 'member'))
        assert.equal((await service[caller].post(`${path}${one}/${name}/`)).status, 404, caller)
      assert.equal((await service.anonymous.post(`${path}${one}/${name}/`)).status, 401)
      for (const id of [99999, 0]) assert.equal((await member.post(`${path}${id}/${name}/`)).status, 404)
      await mailServer.waitUntilIdle(service)
      assert.deepEqual(await readAddresses(), before)
      assert.equal(mailServer.emails.length, 1)
      await assertCallers(service, (client) => client.post(`${path}99999/${name}/`), accounts, readAddresses)
    })
  }
})
