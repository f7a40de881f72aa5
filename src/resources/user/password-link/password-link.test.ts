import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAccount } from '../../../testing/second-factor.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, PASSWORD, testService } from '../../../testing/service.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, SIGN_IN_RATE: '1000' })
const { anonymous, superuser } = service
const NEW = 'seven blue horses'

const buildUrl = (pk: number) => `/api/user/${pk}/password-link/`
const readLinks = () => service.rows('select pk, "user", used from account_link order by pk')
const getStatus = async (username: string, password: string) =>
  (await anonymous.post('/api/auth/login/', { username, password })).status
/** Sets a password with the values of a link. */
const usePasswordLink = (url: string) => {
  const { searchParams } = new URL(url)
  const [uid, token] = [searchParams.get('uid'), searchParams.get('token')]
  return anonymous.post('/api/auth/password/reset/confirm/', { uid, token, new_password1: NEW, new_password2: NEW })
}

describe('POST /api/user/{id}/password-link/', () => {
  it('returns a link that sets a password once, for an account without an address too, and records it', async () => {
    const pk = await createAccount(service, 'forgetful')
    await service.rows(`update user_account set email = '' where pk = $1`, [pk])
    const { status, body } = await superuser.post(buildUrl(pk), { send_mail: false })
    assert.equal(status, 201)
    assert.match(body.url, /^http.*\/platform\/set-password\?uid=\w+&token=/)
    // until the link is used, the old password is valid
    assert.equal(await getStatus('forgetful', PASSWORD), 200)
    assert.equal((await usePasswordLink(body.url)).status, 200)
    assert.deepEqual([await getStatus('forgetful', PASSWORD), await getStatus('forgetful', NEW)], [400, 200])
    assert.equal((await usePasswordLink(body.url)).status, 400)
    const events = await service.rows(`select "user", actor, details from security_event where kind = 'password_link_made'`)
    assert.deepEqual(events, [{ user: pk, actor: service.getPk('superuser'), details: { by_mail: false } }])
    assert.equal(
      (await service.rows('select count(*)::integer from outgoing_mail where kind = $1', ['password_link']))[0].count,
      0,
    )
  })

  it('makes an earlier link invalid', async () => {
    const pk = await createAccount(service, 'twice')
    const [first, second] = [await superuser.post(buildUrl(pk), {}), await superuser.post(buildUrl(pk), {})]
    assert.equal((await usePasswordLink(first.body.url)).status, 400)
    assert.equal((await usePasswordLink(second.body.url)).status, 200)
  })

  it('emails it, and then does not return it', async () => {
    const pk = await createAccount(service, 'mailed')
    const { body } = await superuser.post(buildUrl(pk), { send_mail: true })
    assert.deepEqual(body, { url: null })
    const { links, subject } = await mail.next('mailed@stock.example')
    assert.match(subject, /new password/)
    assert.equal((await usePasswordLink(links[0] as string)).status, 200)
  })

  it("rejects an email without an address, an inactive account, an unknown one, and the caller's own", async () => {
    const [bare, inactive] = [await createAccount(service, 'bare'), await createAccount(service, 'inactive')]
    await service.rows(`update user_account set email = '' where pk = $1`, [bare])
    await service.rows('update user_account set is_active = false where pk = $1', [inactive])
    const before = await readLinks()
    const withoutAddress = await superuser.post(buildUrl(bare), { send_mail: true })
    assert.deepEqual([withoutAddress.status, Object.keys(withoutAddress.body)], [400, ['send_mail']])
    assert.equal((await superuser.post(buildUrl(inactive), {})).status, 400)
    assert.equal((await superuser.post(buildUrl(999_999), {})).status, 404)
    assert.equal((await superuser.post(buildUrl(service.getPk('superuser')), {})).status, 403)
    assert.deepEqual(await readLinks(), before)
  })

  it('requires a superuser', () =>
    assertCallers(service, (client) => client.post(buildUrl(service.getPk('nobody')), {}), ['superuser'], readLinks))
})

describe('POST /api/user/{id}/password-link/ without a mail server', async () => {
  const offline = await testService()

  it('rejects emails, and returns links', async () => {
    const path = buildUrl(offline.getPk('viewer'))
    await offline.rows(`update user_account set email = 'viewer@stock.example' where username = 'viewer'`)
    const rejected = await offline.superuser.post(path, { send_mail: true })
    assert.deepEqual([rejected.status, Object.keys(rejected.body)], [400, ['send_mail']])
    assert.equal((await offline.superuser.post(path, {})).status, 201)
  })
})
