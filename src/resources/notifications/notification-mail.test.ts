import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, beforeEach, describe, it } from 'node:test'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { startTestMailServer } from '../../testing/servers/mail.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { deliverNotifications } from './deliver-notifications.ts'

/** Emails that a plugin was given to send. */
const sentEmails: { to: string; subject: string; text: string }[] = []
const emailReceiver = createServer(async (request, response) => {
  sentEmails.push(JSON.parse(await text(request)))
  response.end()
}).listen(0, '127.0.0.1')
await once(emailReceiver, 'listening')
after(() => emailReceiver.close())
const { dataDir, write } = createPluginFolder()
const address = `http://127.0.0.1:${(emailReceiver.address() as AddressInfo).port}/`
write('postman', `mail: { async send(mail) { await fetch('${address}', { method: 'POST', body: JSON.stringify(mail) }) } },`)

const server = await startTestMailServer()
const service = await testService({ DATA_DIR: dataDir, SMTP_URL: server.url, SITE_URL: 'https://stock.example.com' })
const { services } = service.app.routes
const sales = createSalesHelpers(service)
const viewer = service.getPk('viewer')
const ADDRESS = 'viewer@example.com'
const PLUGIN = 'inventreecorenotificationsplugin'

const setEmailsEnabled = async (value: boolean) =>
  assert.equal((await service.staff.patch(`/api/plugins/settings/${PLUGIN}/ENABLE_NOTIFICATION_EMAILS/`, { value })).status, 200)
const setPluginActive = async (plugin: string, active: boolean) =>
  assert.equal((await service.superuser.patch('/api/plugins/activate/', { plugin, active })).status, 200)

/** Sets the email address of the viewer, verified or not. */
async function setEmailAddress(verified: boolean, primary = true): Promise<void> {
  await service.rows('delete from email_address where "user" = $1', [viewer])
  await service.rows('insert into email_address ("user", email, verified, "primary") values ($1, $2, $3, $4)', [
    viewer,
    ADDRESS,
    verified,
    primary,
  ])
}

/** Notifies the viewer of a new order; returns the order and the emails queued for it. */
async function sendNotification(): Promise<{ order: number; emails: { state: string; address: string }[] }> {
  const [owner] = await service.rows('select pk from owner where "user" = $1', [viewer])
  const order = await sales.order({ responsible: owner.pk })
  await deliverNotifications(services)
  const findNotifications = () => service.rows(`select pk from notification where (target->>'pk')::integer = $1`, [order])
  await waitUntil(async () => (await findNotifications()).length === 1, 'the notification is not delivered')
  const emails = await service.rows(
    `select m.state, m.address from outgoing_mail m join notification n on n.pk = m.notification where (n.target->>'pk')::integer = $1`,
    [order],
  )
  return { order, emails }
}

beforeEach(async () => {
  await setPluginActive(PLUGIN, true)
  await setEmailsEnabled(true)
  await setEmailAddress(true)
  await service.rows('delete from notification_user_setting')
})

describe('emails of notifications', () => {
  it('contain the notification, and link to its object', async () => {
    const { order, emails } = await sendNotification()
    assert.equal(emails.length, 1)
    const mail = await server.next(ADDRESS)
    assert.deepEqual(mail.recipients, [ADDRESS])
    assert.equal(mail.subject, '[Stockroom] New Sales Order')
    assert.match(mail.text, /^Hello viewer,\n\nYou are responsible for the new sales order SO-\d+ - Customer \d+\./)
    assert.deepEqual(mail.links, [`https://stock.example.com/order/sales-order/${order}/`])
    await server.waitUntilIdle(service)
    assert.equal(server.emails.filter((email) => email.links[0] === mail.links[0]).length, 1)
  })

  it('are sent only if enabled, wanted, and the primary address is verified', async () => {
    const cases: [string, () => Promise<unknown>][] = [
      ['emails are not enabled', () => setEmailsEnabled(false)],
      ['the plugin is off', () => setPluginActive(PLUGIN, false)],
      ['the address is not verified', () => setEmailAddress(false)],
      ['the address is not the primary one', () => setEmailAddress(true, false)],
      [
        'the account wants none',
        async () => {
          const [{ pk }] = (await service.viewer.get('/api/settings/notification/')).body.results
          assert.equal((await service.viewer.patch(`/api/settings/notification/${pk}/`, { value: false })).status, 200)
        },
      ],
      [
        'the account wants none of their kind',
        async () => {
          const { results } = (await service.viewer.get('/api/settings/notification/?search=RESPONSIBLE')).body
          assert.equal((await service.viewer.patch(`/api/settings/notification/${results[0].pk}/`, { value: false })).status, 200)
        },
      ],
    ]
    for (const [reason, prepare] of cases) {
      await setPluginActive(PLUGIN, true)
      await setEmailsEnabled(true)
      await setEmailAddress(true)
      await prepare()
      assert.deepEqual((await sendNotification()).emails, [], reason)
    }
    await service.rows('delete from notification_user_setting')
    assert.equal((await sendNotification()).emails.length, 1)
    await server.next(ADDRESS)
  })

  it('are sent although the account wants none of another kind', async () => {
    const { results } = (await service.viewer.get('/api/settings/notification/?search=OVERDUE')).body
    assert.equal((await service.viewer.patch(`/api/settings/notification/${results[0].pk}/`, { value: false })).status, 200)
    assert.equal((await sendNotification()).emails.length, 1)
    await server.waitUntilIdle(service)
  })

  it('are disabled by default', async () => {
    await service.rows('delete from plugin_setting')
    assert.deepEqual((await sendNotification()).emails, [])
  })

  it('are sent by a plugin that sends emails, while it is active', async () => {
    await setPluginActive('postman', true)
    try {
      await sendNotification()
      await waitUntil(() => sentEmails.length > 0, 'the plugin received nothing')
      await server.waitUntilIdle(service)
      assert.deepEqual(
        sentEmails.map(({ to, subject }) => [to, subject]),
        [[ADDRESS, '[Stockroom] New Sales Order']],
      )
    } finally {
      await setPluginActive('postman', false)
    }
  })

  it('are not sent for notifications deleted in the meantime', async () => {
    server.rejectNext(1)
    const { order } = await sendNotification()
    await server.waitUntilIdle(service)
    await service.rows(`delete from notification where (target->>'pk')::integer = $1`, [order])
    await server.retryNow(service)
    const [row] = await service.rows('select state, error from outgoing_mail order by pk desc limit 1')
    assert.deepEqual(row, { state: 'failed', error: 'it is no longer needed' })
  })

  it('are sent once each after the mail server was down for more than an hour of simulated time', async () => {
    const before = server.emails.length
    server.rejectNext(Number.POSITIVE_INFINITY)
    const orders: number[] = []
    for (let number = 0; number < 5; number++) orders.push((await sendNotification()).order)
    await server.waitUntilIdle(service)
    // the simulated time of each email: each retry skips the wait for its next attempt
    const listRetries = async (): Promise<{ id: string; delay: number }[]> =>
      service.rows(
        `select id, extract(epoch from start_after - now())::float as delay from pgboss.job where name = 'mail' and state = 'retry'`,
      )
    const clocks = new Map<string, number>()
    while (Math.min(...[...clocks.values(), ...(clocks.size ? [] : [0])]) < 3_600) {
      const jobs = await listRetries()
      assert.equal(jobs.length, orders.length, 'an email is no longer retried')
      for (const { id, delay } of jobs) clocks.set(id, (clocks.get(id) ?? 0) + delay)
      await server.retryNow(service)
    }
    assert.equal(server.emails.length, before)
    server.rejectNext(0)
    await server.retryNow(service)
    const links = server.emails.slice(before).map((mail) => mail.links[0])
    assert.deepEqual(links.toSorted(), orders.map((order) => `https://stock.example.com/order/sales-order/${order}/`).toSorted())
  })
})
