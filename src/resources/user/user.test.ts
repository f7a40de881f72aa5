// Over 400 lines: it tests every rule about changing accounts, operation by operation.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { startTestMailServer } from '../../testing/servers/mail.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, MAIL_AGAIN_SECONDS: '0', TRUST_PROXY: 'true' })
const { superuser, viewer, staff } = service
const ACCOUNTS = '/api/user/'

let accountCount = 0
/** Creates an account as a superuser. */
const createAccount = async (body: object = {}) => {
  const created = await superuser.post(ACCOUNTS, { username: `account${++accountCount}`, ...body })
  assert.equal(created.status, 201, created.text)
  return created.body
}
const findGroup = async (name: string) => (await service.rows('select pk from user_group where name = $1', [name]))[0].pk
const readAccounts = () => service.rows('select * from user_account order by pk')
const readEvents = (user: number) =>
  service.rows('select kind, actor, username, details from security_event where "user" = $1 order by pk', [user])
const createBasicHeaders = (name: string, password: string) => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` })
const NEW_PASSWORD = 'seven blue horses'

describe('GET /api/user/?sign_in_detail=true', () => {
  it('shows the last sign-in and the second factor to staff and to the account itself', async () => {
    const { pk, username } = await createAccount({ password: NEW_PASSWORD })
    const path = `${ACCOUNTS}${pk}/?sign_in_detail=true`
    assert.deepEqual([(await staff.get(path)).body.second_factor, (await staff.get(path)).body.last_sign_in], [false, null])
    await signIn(username)
    await service.rows('insert into second_factor ("user", sealed_secret, confirmed) values ($1, $2, now())', [
      pk,
      Buffer.alloc(40),
    ])
    const { last_sign_in: lastSignIn, second_factor: secondFactor } = (await staff.get(path)).body
    assert.equal(secondFactor, true)
    assert.match(lastSignIn, /^\d{4}-.*Z$/)
    const { body } = await viewer.get(path)
    assert.deepEqual([body.second_factor, body.last_sign_in], [false, null])
    assert.ok(!('second_factor' in (await staff.get(`${ACCOUNTS}${pk}/`)).body))
    const readNames = async (client: typeof staff, query: string) =>
      (await client.get(`${ACCOUNTS}?${query}`)).body.results.map((row: { username: string }) => row.username)
    assert.deepEqual(await readNames(staff, 'second_factor=true'), [username])
    assert.deepEqual(await readNames(viewer, 'second_factor=true'), [])
  })

  it('filters by group, and searches addresses, for staff', async () => {
    const group = await findGroup('members')
    const readNames = async (client: typeof staff, query: string) =>
      (await client.get(`${ACCOUNTS}?${query}`)).body.results.map((row: { username: string }) => row.username)
    assert.deepEqual(await readNames(staff, `group=${group}`), ['member'])
    assert.deepEqual(await readNames(service.member, `group=${group}`), ['member'])
    assert.deepEqual(await readNames(viewer, `group=${group}`), [])
    assert.deepEqual(Object.keys((await staff.get(`${ACCOUNTS}?group=99999`)).body), ['group'])
    const { username } = await createAccount({ email: 'searched.for@example.com' })
    assert.deepEqual(await readNames(staff, 'search=searched.for'), [username])
    assert.deepEqual(await readNames(viewer, 'search=searched.for'), [])
  })
})

describe('POST /api/user/', () => {
  it('creates an account that can sign in, in its groups, and records it', async () => {
    const group = await findGroup('members')
    const created = await createAccount({
      username: 'ada',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      is_staff: true,
      group_ids: [group, group],
      password: NEW_PASSWORD,
    })
    assert.deepEqual(created, {
      pk: created.pk,
      username: 'ada',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      groups: [{ pk: group, name: 'members' }],
      is_staff: true,
      is_superuser: false,
      is_active: true,
    })
    assert.equal((await service.anonymous.get('/api/user/me/', createBasicHeaders('ada', NEW_PASSWORD))).body.pk, created.pk)
    const [event] = await readEvents(created.pk)
    assert.deepEqual(event, {
      kind: 'account_made',
      actor: service.getPk('superuser'),
      username: 'ada',
      details: { is_staff: true, is_superuser: false, groups: ['members'] },
    })
    assert.match((await mail.next('ada@example.com')).subject, /address/i)
    await mail.waitUntilIdle(service)
    assert.ok(mail.emails.every(({ subject }) => !/welcome/i.test(subject)))
  })

  it('creates an account without a password that cannot sign in, and emails a link to set one', async () => {
    const created = await createAccount({ username: 'grace', email: 'grace@example.com' })
    const [{ password }] = await service.rows('select password from user_account where pk = $1', [created.pk])
    assert.equal(password, '')
    for (const guess of ['', 'grace'])
      assert.equal((await service.anonymous.get('/api/user/me/', createBasicHeaders('grace', guess))).status, 401)
    await mail.waitUntilIdle(service)
    const link = mail.emails
      .filter(({ to }) => to.includes('grace@'))
      .flatMap(({ links }) => links)
      .find((entry) => entry.includes('/set-password?'))
    assert.ok(link)
    const { searchParams } = new URL(link)
    const body = {
      uid: searchParams.get('uid'),
      token: searchParams.get('token'),
      new_password1: NEW_PASSWORD,
      new_password2: NEW_PASSWORD,
    }
    assert.equal((await service.anonymous.post('/api/auth/password/reset/confirm/', body)).status, 200)
    assert.equal((await service.anonymous.get('/api/user/me/', createBasicHeaders('grace', NEW_PASSWORD))).body.username, 'grace')
  })

  it('sends no mail for an account without a password and an address', async () => {
    const before = await service.rows('select count(*) from outgoing_mail')
    await createAccount()
    await createAccount({ email: '' })
    assert.deepEqual(await service.rows('select count(*) from outgoing_mail'), before)
  })

  it('reports each invalid field, and creates nothing', async () => {
    const before = await readAccounts()
    const bad: [object, string][] = [
      [{}, 'username'],
      [{ username: '' }, 'username'],
      [{ username: null }, 'username'],
      [{ username: {} }, 'username'],
      [{ username: 'two words' }, 'username'],
      [{ username: 'x'.repeat(151) }, 'username'],
      [{ username: 'MEMBER' }, 'username'],
      [{ username: 'm\u0435mber' }, 'username'],
      [{ username: 'new', email: 'no address' }, 'email'],
      [{ username: 'new', email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
      [{ username: 'new', group_ids: [99_999] }, 'group_ids'],
      [{ username: 'new', group_ids: 1 }, 'group_ids'],
      [{ username: 'new', is_staff: 'perhaps' }, 'is_staff'],
      [{ username: 'new', first_name: 'x'.repeat(151) }, 'first_name'],
      [{ username: 'new', password: 'short' }, 'password'],
      [{ username: 'new', password: '83746510293' }, 'password'],
      [{ username: 'new', password: 'password1' }, 'password'],
      [{ username: 'wilhelmina', password: 'wilhelmina1' }, 'password'],
    ]
    for (const [body, field] of bad) {
      const response = await superuser.post(ACCOUNTS, body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.deepEqual(Object.keys(response.body), [field], JSON.stringify(body))
    }
    assert.deepEqual(await readAccounts(), before)
  })

  it('creates one of two concurrent accounts with the same name', async () => {
    const responses = await Promise.all([
      superuser.post(ACCOUNTS, { username: 'twice' }),
      superuser.post(ACCOUNTS, { username: 'TWICE' }),
    ])
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400])
  })

  it('never shows or stores the password in plain text', async () => {
    const response = await superuser.post(
      ACCOUNTS,
      { username: 'secretive', password: NEW_PASSWORD },
      { 'idempotency-key': 'once' },
    )
    assert.equal(response.status, 201)
    assert.ok(!response.text.includes(NEW_PASSWORD))
    const stored = JSON.stringify([
      await service.rows('select * from user_account'),
      await service.rows('select * from security_event'),
      await service.rows(`select status, body, encode(body_hash, 'hex') from idempotency_key`),
    ])
    assert.ok(!stored.includes(NEW_PASSWORD))
  })

  it('requires a superuser', () =>
    assertCallers(service, (client) => client.post(ACCOUNTS, { username: 'callers' }), ['superuser'], readAccounts))
})

describe('GET /api/user/', () => {
  it('shows all fields to staff, and only the names to others', async () => {
    const group = await findGroup('viewers')
    const created = await createAccount({
      first_name: 'Ed',
      email: 'ed@example.com',
      is_staff: true,
      is_superuser: true,
      group_ids: [group],
    })
    const path = `${ACCOUNTS}${created.pk}/`
    assert.deepEqual((await staff.get(path)).body, created)
    const viewerCopy = { ...created, email: '', groups: [], is_staff: false, is_superuser: false }
    for (const client of [viewer, service.member, service.nobody]) {
      assert.deepEqual((await client.get(path)).body, viewerCopy)
      assert.deepEqual((await client.get(`${ACCOUNTS}?search=${created.username}`)).body.results, [viewerCopy])
    }
  })

  it("shows all fields of the caller's own account", async () => {
    const own = (await viewer.get(`${ACCOUNTS}${service.getPk('viewer')}/`)).body
    assert.deepEqual(own, (await viewer.get('/api/user/me/')).body)
    assert.equal(own.groups[0].name, 'viewers')
  })

  it('does not reveal hidden values by filters or sorting', async () => {
    const listKeys = async (query: string, client = viewer) =>
      (await client.get(`${ACCOUNTS}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk)
    assert.deepEqual(await listKeys('is_superuser=true'), [])
    assert.deepEqual(await listKeys('is_staff=true'), [])
    assert.ok((await listKeys('is_superuser=true', staff)).includes(service.getPk('superuser')))
    const byKey = await listKeys('')
    for (const name of ['email', 'is_staff', 'is_superuser']) {
      assert.deepEqual(await listKeys(`ordering=${name}`), byKey)
      assert.notDeepEqual(await listKeys(`ordering=-${name}`, staff), byKey.toReversed())
    }
    assert.deepEqual(await listKeys('search=ed@example.com'), [])
  })

  it('hides these values inside other objects too', async () => {
    const [{ pk: part }] = await service.rows(`insert into part (name) values ('Nut') returning pk`)
    const [{ pk: item }] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency) values ($1, 1, 'USD') returning pk`,
      [part],
    )
    const created = await createAccount({ email: 'hidden@example.com', is_staff: true })
    await service.rows('insert into stock_tracking (item, tracking_type, "user") values ($1, 0, $2)', [item, created.pk])
    const path = `/api/stock/track/?item=${item}&user_detail=true`
    assert.ok((await superuser.get(path)).text.includes('hidden@example.com'))
    const detail = (await viewer.get(path)).body.results[0].user_detail
    assert.deepEqual([detail.username, detail.email, detail.is_staff], [created.username, '', false])
  })

  it('filters, searches and sorts', async () => {
    await createAccount({ username: 'zoe', first_name: 'Zoe', last_name: 'Zimmer', is_active: false })
    const listUsernames = async (query: string) =>
      (await viewer.get(`${ACCOUNTS}?${query}`)).body.results.map(({ username }: { username: string }) => username)
    assert.deepEqual(await listUsernames('is_active=false'), ['zoe'])
    assert.deepEqual(await listUsernames('search=zimm'), ['zoe'])
    assert.equal((await listUsernames('ordering=-username'))[0], 'zoe')
  })

  it('is open to every account', () =>
    assertCallers(service, (client) => client.get(ACCOUNTS), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

for (const method of ['PUT', 'PATCH']) {
  describe(`${method} /api/user/{id}/`, () => {
    it('requires a superuser: staff can change neither others nor themselves', async () => {
      const { pk } = await createAccount()
      const path = `${ACCOUNTS}${pk}/`
      await assertCallers(service, (client) => client.send(method, path, { first_name: 'New' }), ['superuser'], readAccounts)
      for (const body of [
        { is_staff: true },
        { is_superuser: true },
        { is_active: false },
        { group_ids: [] },
        { email: 'x@y.example' },
      ]) {
        assert.equal((await staff.send(method, path, body)).status, 403)
        assert.equal((await staff.send(method, `${ACCOUNTS}${service.getPk('staff')}/`, body)).status, 403)
      }
    })

    it('returns 404 for a nonexistent account', async () => {
      assert.equal((await superuser.send(method, `${ACCOUNTS}999999/`, {})).status, 404)
    })
  })
}

describe('PUT /api/user/{id}/', () => {
  it('requires no field, keeps name, address and permissions, and resets the rest to defaults', async () => {
    const rights = { is_staff: true, is_superuser: true, group_ids: [await findGroup('viewers')] }
    const created = await createAccount({ first_name: 'A', email: 'put@example.com', ...rights })
    const response = await superuser.put(`${ACCOUNTS}${created.pk}/`, {})
    assert.deepEqual(response.body, { ...created, first_name: '' })
  })

  it('does not reactivate an account unless the body contains is_active', async () => {
    const created = await createAccount({ is_active: false })
    const path = `${ACCOUNTS}${created.pk}/`
    assert.equal((await superuser.put(path, { username: `${created.username}x` })).body.is_active, false)
    assert.equal((await superuser.put(path, { is_active: true })).body.is_active, true)
  })
})

describe('PATCH /api/user/{id}/', () => {
  it('changes names, flags and groups, and records each', async () => {
    const created = await createAccount()
    const path = `${ACCOUNTS}${created.pk}/`
    const [viewers, members] = [await findGroup('viewers'), await findGroup('members')]
    const changes = { username: `${created.username}x`, first_name: 'F', is_staff: true, group_ids: [viewers] }
    const changed = await superuser.patch(path, changes)
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.username, `${created.username}x`)
    assert.deepEqual(changed.body.groups, [{ pk: viewers, name: 'viewers' }])
    assert.deepEqual(
      (await superuser.patch(path, { group_ids: [members] })).body.groups.map(({ name }: { name: string }) => name),
      ['members'],
    )
    assert.deepEqual((await superuser.patch(path, { group_ids: [] })).body.groups, [])
    const actor = service.getPk('superuser')
    assert.deepEqual(
      (await readEvents(created.pk)).slice(1).map(({ kind, actor: changedBy, details }) => [kind, changedBy, details]),
      [
        [
          'account_changed',
          actor,
          { username: { before: created.username, after: `${created.username}x` }, first_name: { before: '', after: 'F' } },
        ],
        ['rights_changed', actor, { is_staff: { before: false, after: true }, groups: { before: [], after: ['viewers'] } }],
        ['rights_changed', actor, { groups: { before: ['viewers'], after: ['members'] } }],
        ['rights_changed', actor, { groups: { before: ['members'], after: [] } }],
      ],
    )
  })

  it('records nothing when nothing changed', async () => {
    const created = await createAccount()
    const count = (await readEvents(created.pk)).length
    const { pk, groups, ...same } = created
    assert.equal((await superuser.patch(`${ACCOUNTS}${pk}/`, { ...same, group_ids: [] })).status, 200)
    assert.equal((await readEvents(pk)).length, count)
  })

  it('changes the version (If-Match) when a membership changes', async () => {
    const created = await createAccount()
    const path = `${ACCOUNTS}${created.pk}/`
    const { headers } = await superuser.get(path)
    assert.equal((await superuser.patch(path, { group_ids: [await findGroup('viewers')] })).status, 200)
    const late = await superuser.patch(path, { first_name: 'Late' }, { 'if-match': String(headers.etag) })
    assert.equal(late.status, 412)
  })

  it('keeps the version at a log-in, so that If-Match still matches and the ETag reveals nothing', async () => {
    const { pk, username } = await createAccount({ password: NEW_PASSWORD })
    const path = `${ACCOUNTS}${pk}/`
    const [{ etag }, { etag: viewerCopy }] = [(await superuser.get(path)).headers, (await viewer.get(path)).headers]
    await signIn(username)
    assert.equal((await viewer.get(path)).headers.etag, viewerCopy)
    assert.equal((await superuser.patch(path, { first_name: 'Kept' }, { 'if-match': String(etag) })).status, 200)
  })

  it('accepts a current name that is not valid for new accounts', async () => {
    const [{ pk }] = await service.rows(`insert into user_account (username) values ('imported name') returning pk`)
    const response = await superuser.patch(`${ACCOUNTS}${pk}/`, { username: 'imported name', first_name: 'I' })
    assert.deepEqual([response.status, response.body.first_name], [200, 'I'])
    for (const username of ['another name', 'member', null])
      assert.deepEqual(Object.keys((await superuser.patch(`${ACCOUNTS}${pk}/`, { username })).body), ['username'])
  })

  it('does not set a password', async () => {
    const created = await createAccount()
    const response = await superuser.patch(`${ACCOUNTS}${created.pk}/`, { password: NEW_PASSWORD })
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['password']])
  })

  it('applies a new address after its verification, and a verified one immediately', async () => {
    const { pk } = await createAccount()
    const path = `${ACCOUNTS}${pk}/`
    const readAddress = async () => (await superuser.get(path)).body.email
    assert.equal((await superuser.patch(path, { email: 'first@example.com' })).body.email, 'first@example.com')
    await mail.next('first@example.com')
    assert.equal((await superuser.patch(path, { email: 'second@example.com' })).body.email, 'first@example.com')
    const { token } = await mail.next('second@example.com')
    assert.equal((await service.anonymous.post('/api/auth/registration/verify-email/', { key: token })).status, 200)
    assert.equal(await readAddress(), 'second@example.com')
    assert.match((await mail.next('first@example.com')).subject, /address/i)
    // a verified address is accepted immediately; an unverified one is sent another email
    await service.rows(`update email_address set verified = true where email = 'first@example.com'`)
    assert.equal((await superuser.patch(path, { email: 'FIRST@example.com' })).body.email, 'first@example.com')
    await superuser.patch(path, { email: 'third@example.com' })
    await mail.next('third@example.com')
    await superuser.patch(path, { email: 'third@example.com' })
    await mail.next('third@example.com')
    assert.equal(await readAddress(), 'first@example.com')
    for (const email of ['', 'none', null])
      assert.deepEqual(Object.keys((await superuser.patch(path, { email })).body), ['email'])
    assert.equal(await readAddress(), 'first@example.com')
  })

  it('ends sessions, tokens and cached passwords of a deactivated account immediately', async () => {
    const { pk, username } = await createAccount({ password: NEW_PASSWORD })
    const getMe = (headers: Record<string, string>) => service.anonymous.get('/api/user/me/', headers)
    const { token } = (await service.anonymous.get('/api/user/token/', createBasicHeaders(username, NEW_PASSWORD))).body
    const cookie = await signIn(username)
    const credentials = [createBasicHeaders(username, NEW_PASSWORD), { authorization: `Token ${token}` }, { cookie }]
    for (const headers of credentials) assert.equal((await getMe(headers)).status, 200)
    await superuser.patch(`${ACCOUNTS}${pk}/`, { is_active: false })
    await waitForListeners(service)
    for (const headers of credentials) assert.equal((await getMe(headers)).status, 401)
    await superuser.patch(`${ACCOUNTS}${pk}/`, { is_active: true })
    await waitForListeners(service)
    // tokens and sessions stay ended
    assert.deepEqual(await Promise.all(credentials.map(async (headers) => (await getMe(headers)).status)), [200, 401, 401])
  })
})

async function signIn(username: string): Promise<string> {
  const response = await service.anonymous.post('/api/auth/login/', { username, password: NEW_PASSWORD })
  assert.equal(response.status, 200, response.text)
  const cookies = [response.headers['set-cookie']].flat() as string[]
  return cookies.find((line) => line.startsWith('sessionid='))?.split(';')[0] as string
}

describe('DELETE /api/user/{id}/', () => {
  it('ends sessions, tokens and cached passwords immediately', async () => {
    const { pk, username } = await createAccount({ password: NEW_PASSWORD })
    const { token } = (await service.anonymous.get('/api/user/token/', createBasicHeaders(username, NEW_PASSWORD))).body
    const credentials = [
      createBasicHeaders(username, NEW_PASSWORD),
      { authorization: `Token ${token}` },
      { cookie: await signIn(username) },
    ]
    for (const headers of credentials) assert.equal((await service.anonymous.get('/api/user/me/', headers)).status, 200)
    assert.equal((await superuser.delete(`${ACCOUNTS}${pk}/`)).status, 204)
    await waitForListeners(service)
    for (const headers of credentials) assert.equal((await service.anonymous.get('/api/user/me/', headers)).status, 401)
    const [event] = await service.rows(
      `select "user", actor, kind from security_event where username = $1 and kind <> 'sign_in_failed' order by pk desc`,
      [username],
    )
    assert.deepEqual(event, { user: null, actor: service.getPk('superuser'), kind: 'account_deleted' })
  })

  it('waits for transactions that write references to the account, as deleting a group does, and holds no locks while it waits', async () => {
    const group = (await superuser.post('/api/user/group/', { name: 'Leaving' })).body.pk
    for (const path of [`${ACCOUNTS}${(await createAccount()).pk}/`, `/api/user/group/${group}/`]) {
      const column = path.includes('group') ? 'group' : 'user'
      const [{ pk: owner }] = await service.rows(`select max(pk) as pk from owner where "${column}" is not null`)
      const writer = await service.pool.connect()
      try {
        await writer.query(`insert into part (name, responsible) values ('Named ${column}', ${owner})`)
        await writer.query(
          `begin; set local lock_timeout = '500ms'; select pg_advisory_xact_lock_shared(hashtext('quantities'), 0)`,
        )
        await writer.query(`select from part where responsible = ${owner} for no key update`)
        const deletion = superuser.delete(path)
        const blockedQuery = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        await waitUntil(async () => (await service.pool.query(blockedQuery)).rowCount, 'the deletion does not wait')
        // a deletion that had already locked the owner, and waited for the part, would deadlock here
        await writer.query(`insert into part (name, responsible) values ('Also ${column}', ${owner})`)
        await writer.query('commit')
        assert.equal((await deletion).status, 204)
      } finally {
        await writer.query('rollback')
        writer.release()
      }
      assert.deepEqual(await service.rows(`select responsible from part where name like '% ${column}'`), [
        { responsible: null },
        { responsible: null },
      ])
    }
  })

  it('keeps all business records', async () => {
    const { pk } = await createAccount({ email: 'leaves@example.com', group_ids: [await findGroup('members')] })
    const [{ pk: owner }] = await service.rows('select pk from owner where "user" = $1', [pk])
    const [{ pk: part }] = await service.rows(
      `insert into part (name, creation_user, bom_checked_by, responsible) values ('Bolt', $1, $1, $2) returning pk`,
      [pk, owner],
    )
    const [{ pk: item }] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency, stocktake_user, owner) values ($1, 5, 'USD', $2, $3) returning pk`,
      [part, pk, owner],
    )
    await service.rows('insert into stock_tracking (item, tracking_type, "user") values ($1, 0, $2)', [item, pk])
    await service.rows(`insert into project_code (code, responsible) values ('P1', $1)`, [owner])
    await service.rows(`insert into stock_location (name, owner) values ('Shelf', $1)`, [owner])
    await service.rows(`insert into part_star (part, "user") values ($1, $2)`, [part, pk])
    await service.rows(`insert into user_setting ("user", key, value) values ($1, 'A', '1')`, [pk])
    const [{ pk: supplier }] = await service.rows(
      `insert into company (name, currency, is_supplier) values ('S', 'USD', true) returning pk`,
    )
    await service.rows(
      `insert into purchase_order (reference, total_price_currency, supplier, created_by, received_by, responsible) values ('PO-0001', 'USD', $1, $2, $2, $3)`,
      [supplier, pk, owner],
    )
    const countRows = async () => {
      const tables = ['part', 'stock_item', 'stock_tracking', 'project_code', 'stock_location', 'purchase_order']
      return service.rows(`select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')}`)
    }
    const before = await countRows()
    const response = await superuser.delete(`${ACCOUNTS}${pk}/`)
    assert.equal(response.status, 204, response.text)
    assert.deepEqual(await countRows(), before)
    assert.deepEqual(await service.rows('select created_by, received_by, responsible from purchase_order'), [
      { created_by: null, received_by: null, responsible: null },
    ])
  })

  it('requires a superuser', async () => {
    const { pk } = await createAccount()
    await assertCallers(service, (client) => client.delete(`${ACCOUNTS}${pk}/`), ['superuser'], readAccounts)
    assert.equal((await superuser.delete(`${ACCOUNTS}${pk}/`)).status, 404)
  })
})
