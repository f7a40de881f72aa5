import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { startTestMailServer } from '../../testing/servers/mail.ts'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'
import { sendMail } from './mail.ts'

/** The emails that the plugin received. */
const deliveredEmails: { to: string; subject: string; text: string; html: string }[] = []
const receiver = createServer(async (request, response) => {
  deliveredEmails.push(JSON.parse(await text(request)))
  response.end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
after(() => receiver.close())

const { dataDir, write } = createPluginFolder()
write(
  'postman',
  `settings: {
     HOW: { type: 'choice', default: 'well', name: 'How', description: 'How it does its work.',
       choices: ['well', 'throws', 'hangs', 'ends'].map((value) => ({ value, display_name: value })) },
   },
   mail: {
     async send(mail, { settings }) {
       await fetch('http://127.0.0.1:${(receiver.address() as AddressInfo).port}/', { method: 'POST', body: JSON.stringify(mail) })
       const how = await settings.get('HOW')
       if (how === 'throws') throw new Error('the post office is closed')
       if (how === 'hangs') await new Promise(() => {})
       if (how === 'ends') process.exit(3)
     },
   },`,
)
const server = await startTestMailServer()
const service = await testService({ DATA_DIR: dataDir, SMTP_URL: server.url })
const { services } = service.app.routes

const activate = async (active: boolean) =>
  assert.equal((await service.superuser.patch('/api/plugins/activate/', { plugin: 'postman', active })).status, 200)
const setDeliveryMode = async (value: string) =>
  assert.equal((await service.staff.patch('/api/plugins/settings/postman/HOW/', { value })).status, 200)
const readPluginErrors = async () => JSON.stringify((await service.superuser.get('/api/plugins/status/')).body.registry_errors)

let count = 0
/** Sends an email to a new address, and returns the address. */
async function send(): Promise<string> {
  const address = `person${++count}@example.com`
  const mail = { kind: 'password_changed', user: service.getPk('viewer'), address } as const
  await services.database.transaction((tx) => sendMail({ ...services, tx }, mail))
  return address
}
const readEmail = async (address: string) =>
  (await service.rows('select state, attempts, error from outgoing_mail where address = $1', [address]))[0]
/** Waits until the email has this status after at least one attempt. Both are checked on one read: an attempt may begin between two reads. */
const waitForState = (address: string, state: string) =>
  waitUntil(async () => {
    const current = await readEmail(address)
    return current.state === state && current.attempts > 0
  }, `it does not become ${state}`)
const countDeliveries = (address: string) => deliveredEmails.filter(({ to }) => to === address).length

describe('a plugin that sends emails', () => {
  it('receives emails instead of the mail server, while it is enabled', async () => {
    const before = await send()
    await server.next(before)
    await activate(true)
    const address = await send()
    await waitForState(address, 'sent')
    assert.equal((await service.anonymous.get('/api/')).body.email_configured, true)
    const [mail] = deliveredEmails
    assert.deepEqual(Object.keys(mail ?? {}), ['to', 'subject', 'text', 'html'])
    assert.deepEqual([mail?.to, mail?.subject], [address, '[Stockroom] Your password was changed'])
    assert.match(mail?.text ?? '', /^Hello viewer,/)
    assert.match(mail?.html ?? '', /<p>Hello viewer,<\/p>/)
    await activate(false)
    const later = await send()
    await server.next(later)
    assert.equal(server.emails.length, 2)
    assert.equal(deliveredEmails.length, 1)
  })

  it('receives none while ENABLE_PLUGINS_MAILS is off', async () => {
    await activate(true)
    const setting = '/api/settings/global/ENABLE_PLUGINS_MAILS/'
    assert.equal((await service.superuser.patch(setting, { value: false })).status, 200)
    const address = await send()
    await server.next(address)
    assert.equal(countDeliveries(address), 0)
    const { waiting } = (await service.superuser.get('/api/plugins/status/')).body
    assert.deepEqual(waiting, [{ name: 'postman', message: 'mail: disabled by the setting ENABLE_PLUGINS_MAILS' }])
    assert.equal((await service.superuser.patch(setting, { value: true })).status, 200)
  })

  it('leaves the email unsent if it throws: the email is retried later, and the failure reported', async () => {
    await activate(true)
    await setDeliveryMode('throws')
    const address = await send()
    // its state is `queued` during an attempt as well
    await waitUntil(async () => (await readEmail(address)).error !== null, 'no failure was stored')
    assert.equal((await readEmail(address)).state, 'queued')
    assert.equal((await readEmail(address)).error, 'postman: mail.send failed: the post office is closed')
    assert.match(await readPluginErrors(), /"postman","message":"mail.send failed: the post office is closed"/)
    await setDeliveryMode('well')
    await server.retryNow(service)
    assert.deepEqual(await readEmail(address), { state: 'sent', attempts: 2, error: null })
  })

  it('leaves the email unknown if it ends during the call: the email is not sent again, and the failure is reported', async () => {
    await setDeliveryMode('ends')
    const address = await send()
    await waitForState(address, 'unknown')
    assert.match(await readPluginErrors(), /"postman","message":"its process ended unexpectedly \(exit code 3\)"/)
    await setDeliveryMode('well')
    await waitUntil(() => services.plugins.withHook('mail.send').length === 1, 'the plugin was not restarted')
    await server.retryNow(service)
    assert.deepEqual([(await readEmail(address)).state, countDeliveries(address)], ['unknown', 1])
  })

  it('is stopped after ten seconds if it hangs: the email is not sent again, but others are', {
    timeout: scaleTimeout(60_000),
  }, async () => {
    await activate(false)
    await activate(true)
    await setDeliveryMode('hangs')
    const address = await send()
    await waitForState(address, 'unknown')
    assert.match(await readPluginErrors(), /mail.send did not respond within 10000 milliseconds/)
    await setDeliveryMode('well')
    const next = await send()
    await waitForState(next, 'sent')
    assert.deepEqual([(await readEmail(address)).state, countDeliveries(address)], ['unknown', 1])
  })

  it('delays emails while it is enabled and missing, without a fallback to the mail server', async () => {
    // the plugin has been restarted by then
    await activate(true)
    const before = server.emails.length
    rmSync(join(dataDir, 'plugins/postman'), { recursive: true })
    await service.superuser.post('/api/plugins/reload/')
    const address = await send()
    await waitForState(address, 'queued')
    assert.match((await readEmail(address)).error, /the plugin postman, which sends email, is enabled but does not run here/)
    await activate(false)
    await server.retryNow(service)
    await server.next(address)
    assert.equal(server.emails.length, before + 1)
  })
})
