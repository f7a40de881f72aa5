import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { createAccount, enroll, signIn } from '../../../testing/second-factor.ts'
import { startTestMailServer } from '../../../testing/servers/mail.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const mail = await startTestMailServer()
const service = await testService({ SMTP_URL: mail.url, SIGN_IN_RATE: '1000', TRUST_PROXY: 'true' })
const { anonymous } = service
const ME = '/api/user/me/'
const buildUrl = (pk: number) => `/api/user/${pk}/second-factor/`
const readFactors = () =>
  service.rows('select f.*, r.* from second_factor f left join recovery_code r using ("user") order by 1, r.pk')

describe('DELETE /api/user/{id}/second-factor/', () => {
  it('restores access for an account that lost its factors, and ends its sessions and tokens', async () => {
    const { pk, username, cookie } = await enroll(service, 'forgetful')
    const { token } = (await anonymous.get('/api/user/token/?name=phone', { cookie })).body
    const credentials: Record<string, string>[] = [{ cookie }, { authorization: `Token ${token}` }]
    for (const headers of credentials) assert.equal((await anonymous.get(ME, headers)).status, 200)
    const response = await service.superuser.delete(buildUrl(pk))
    assert.equal(response.status, 204)
    assert.equal(response.text, '')
    await waitForListeners(service)
    for (const headers of credentials) assert.equal((await anonymous.get(ME, headers)).status, 401)
    assert.equal((await signIn(service, username)).status, 200)
    assert.deepEqual(await service.rows('select 1 from recovery_code where "user" = $1', [pk]), [])
    const events = await service.rows(
      `select kind, "user", username, actor from security_event where "user" = $1 and kind = 'second_factor_removed'`,
      [pk],
    )
    assert.deepEqual(events, [{ kind: 'second_factor_removed', user: pk, username, actor: service.getPk('superuser') }])
    assert.match((await mail.next('forgetful@stock.example')).subject, /enabled/)
    assert.match((await mail.next('forgetful@stock.example')).subject, /removed/)
  })

  it('returns 404 for an account without a second factor, or a nonexistent account', async () => {
    const pk = await createAccount(service, 'bare')
    const token = (await signIn(service, 'bare')).body.key
    for (const path of [buildUrl(pk), buildUrl(99_999_999), buildUrl(99_999_999_999), '/api/user/x/second-factor/'])
      assert.equal((await service.superuser.delete(path)).status, 404, path)
    assert.equal((await anonymous.get(ME, { authorization: `Token ${token}` })).status, 200, 'its token stays valid')
  })

  it("rejects a superuser's own second factor, which requires a code", async () => {
    const { pk, cookie } = await enroll(service, 'chief')
    await service.rows('update user_account set is_superuser = true where pk = $1', [pk])
    const before = await readFactors()
    const response = await anonymous.delete(buildUrl(pk), undefined, { cookie })
    assert.equal(response.status, 403)
    assert.match(response.body.detail, /disable/)
    assert.deepEqual(await readFactors(), before)
  })

  it('requires a superuser', async () => {
    const { pk } = await enroll(service, 'kept')
    await assertCallers(service, (client) => client.delete(buildUrl(pk)), ['superuser'], readFactors)
  })
})
