import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { preparePrinting } from '../testing/printing.ts'
import { startTestMailServer, type TestMailServer } from '../testing/servers/mail.ts'
import { createPluginPackage } from '../testing/servers/npm-registry.ts'
import { PASSWORD, type TestService, testService } from '../testing/service.ts'

/** A JSON object of a request or a response. */
export type Body = Record<string, unknown>

export type Headers = Record<string, string>

/** An account, and its credentials for the three ways to authenticate a request. */
export type Account = { pk: number; username: string; email: string; cookie: Headers; token: Headers; basic: Headers }

/** The environment of the tests: a service in its default wire form, without effective rate limits. */
export type Fixture = {
  service: TestService
  mail: TestMailServer
  member: Account
  staff: Account
  superuser: Account
  /** Creates another account, without a role. */
  createAccount(): Promise<Account>
  /** Creates an object by the API, and returns its key. */
  create(path: string, body: Body): Promise<number>
}

const PROVIDERS = [
  { id: 'works', name: 'Works', issuer: 'https://id.works.example', client_id: 'stock', client_secret: 'a secret' },
  { id: 'google', preset: 'google' },
]

export async function createFixture(): Promise<Fixture> {
  const mail = await startTestMailServer()
  const highLimit = '100000'
  const { DATA_DIR } = await preparePrinting()
  const service = await testService({
    DATA_DIR,
    SMTP_URL: mail.url,
    MAIL_AGAIN_SECONDS: '0',
    SIGN_IN_RATE: highLimit,
    REGISTRATION_RATE: highLimit,
    WRONG_CREDENTIALS: highLimit,
    SSO_PROVIDERS: JSON.stringify(PROVIDERS),
  })
  const createCallerCredentials = (username: 'member' | 'staff' | 'superuser') =>
    createCredentials(service, { pk: service.getPk(username), username, email: '' })
  const superuser = await createCallerCredentials('superuser')
  return {
    service,
    mail,
    member: await createCallerCredentials('member'),
    staff: await createCallerCredentials('staff'),
    superuser,
    async createAccount() {
      const username = `account-${randomUUID()}`
      const email = createEmailAddress(40)
      const [row] = await service.rows(
        `insert into user_account (username, email, password)
         select $1, $2, password from user_account where username = 'member' returning pk`,
        [username, email],
      )
      await service.rows(`insert into email_address ("user", email, verified, "primary") values ($1, $2, true, true)`, [
        row.pk,
        email,
      ])
      return createCredentials(service, { pk: row.pk, username, email })
    },
    async create(path, body) {
      const created = await service.anonymous.post(path, body, superuser.token)
      assert.equal(created.status, 201, `POST ${path}: ${created.text}`)
      return created.body.pk
    },
  }
}

/** Opens a session of an account and creates a token. */
async function createCredentials(service: TestService, account: Pick<Account, 'pk' | 'username' | 'email'>): Promise<Account> {
  const session = randomUUID()
  await service.rows(
    `insert into user_session ("user", id_hash, expires) values ($1, sha256(convert_to($2, 'UTF8')), now() + interval '1 hour')`,
    [account.pk, session],
  )
  const cookie = { cookie: `sessionid=${session}` }
  const { body } = await service.anonymous.get('/api/user/token/', cookie)
  return {
    ...account,
    cookie,
    token: { authorization: `Token ${body.token}` },
    basic: { authorization: `Basic ${Buffer.from(`${account.username}:${PASSWORD}`).toString('base64')}` },
  }
}

let addressCount = 0
/** Creates a unique email address of this length. */
export function createEmailAddress(length: number): string {
  const name = `a${++addressCount}@`
  const domain = 'example.'.repeat(32).slice(0, length - name.length - 3)
  return `${name}${domain.replace(/\.$/, 'x')}.nl`
}

let lastNumber = 1000
const nextNumber = () => ++lastNumber

const defineCreator =
  (path: string, body: (name: string, fixture: Fixture) => Body | Promise<Body>) =>
  async (fixture: Fixture): Promise<number> =>
    fixture.create(path, await body(`No. ${nextNumber()}`, fixture))

const supplier = defineCreator('/api/company/', (name) => ({ name, is_supplier: true, currency: 'USD' }))
const customer = defineCreator('/api/company/', (name) => ({ name, is_customer: true }))
const category = defineCreator('/api/part/category/', (name) => ({ name }))
const part = defineCreator('/api/part/', async (name, fixture) => ({
  name,
  category: await category(fixture),
  assembly: true,
  purchaseable: true,
  salable: true,
}))
const supplierPart = async (fixture: Fixture, company?: number, sku = `SKU-${nextNumber()}`): Promise<number> =>
  fixture.create('/api/company/part/', { part: await part(fixture), supplier: company ?? (await supplier(fixture)), SKU: sku })
const order = defineCreator('/api/order/po/', async (_, fixture) => ({
  reference: make.reference(),
  supplier: await supplier(fixture),
}))

/** Functions that create the objects that bodies refer to: a new one for each call. */
export const make = {
  /** Returns an unused reference of a purchase order, by the default pattern. */
  reference: () => `PO-${nextNumber()}`,
  supplier,
  part,
  order,
  supplierPart: (fixture: Fixture) => supplierPart(fixture),
  /** Creates a part of the supplier of the body's order. */
  async supplierPartOfOrder(fixture: Fixture, body: Body): Promise<number> {
    const { supplier: company } = (await fixture.service.anonymous.get(`/api/order/po/${body.order}/`, fixture.superuser.token))
      .body
    return supplierPart(fixture, company)
  },
  contact: (fixture: Fixture, company: number) =>
    fixture.create('/api/company/contact/', { company, name: `Contact ${nextNumber()}` }),
  address: (fixture: Fixture, company: number) =>
    fixture.create('/api/company/address/', { company, title: `Address ${nextNumber()}` }),
  projectCode: defineCreator('/api/project-code/', (code) => ({ code })),
  location: defineCreator('/api/stock/location/', (name) => ({ name })),
  stockItem: defineCreator('/api/stock/', async (batch, fixture) => ({ part: await part(fixture), quantity: 10, batch })),
  manufacturerPart: defineCreator('/api/company/part/manufacturer/', async (MPN, fixture) => ({
    part: await part(fixture),
    manufacturer: await fixture.create('/api/company/', { name: MPN, is_manufacturer: true }),
    MPN,
  })),
  build: defineCreator('/api/build/', async (title, fixture) => ({
    title,
    part: await part(fixture),
    quantity: 1,
    reference: `BO-${nextNumber()}`,
  })),
  returnOrder: defineCreator('/api/order/ro/', async (_, fixture) => ({
    reference: `RMA-${nextNumber()}`,
    customer: await customer(fixture),
  })),
  /** Creates a pending order, and a part that its supplier sells. */
  async orderedPart(fixture: Fixture): Promise<{ order: number; part: number }> {
    const company = await supplier(fixture)
    const soldPart = await supplierPart(fixture, company)
    const { part } = (await fixture.service.anonymous.get(`/api/company/part/${soldPart}/`, fixture.superuser.token)).body
    return { order: await fixture.create('/api/order/po/', { reference: make.reference(), supplier: company }), part }
  },
  /** Creates a placed order of ten units of a supplier part, with a location to receive them. */
  async placedOrder(fixture: Fixture): Promise<{ order: number; reference: string; sku: string }> {
    const company = await supplier(fixture)
    const sku = `SKU-${nextNumber()}`
    const reference = make.reference()
    const order = await fixture.create('/api/order/po/', { reference, supplier: company })
    const [part, destination] = [await supplierPart(fixture, company, sku), await make.location(fixture)]
    await fixture.create('/api/order/po-line/', { order, part, destination, quantity: 10 })
    await fixture.service.anonymous.post(`/api/order/po/${order}/issue/`, {}, fixture.superuser.token)
    return { order, reference, sku }
  },
  /** Creates a pending sales order with a line and a shipment, and stock of the part in the line. */
  async salesOrder(fixture: Fixture): Promise<{ order: number; line: number; shipment: number; item: number }> {
    const item = await make.stockItem(fixture)
    const { part } = (await fixture.service.anonymous.get(`/api/stock/${item}/`, fixture.superuser.token)).body
    const reference = `SO-${nextNumber()}`
    const order = await fixture.create('/api/order/so/', { reference, customer: await customer(fixture) })
    const line = await fixture.create('/api/order/so-line/', { order, part, quantity: 5 })
    const shipment = await fixture.create('/api/order/so/shipment/', { order, reference: '1' })
    return { order, line, shipment, item }
  },
  /** Returns the path of a folder with a plugin package. */
  async pluginPackage(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'stockroom-plugin-'))
    after(() => rm(folder, { recursive: true }))
    const files = createPluginPackage({ name: 'stockroom-to-try', slug: 'to-try' })
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return pathToFileURL(folder).href
  },
  owner: async (fixture: Fixture): Promise<number> => {
    const { results } = (await fixture.service.anonymous.get('/api/user/owner/', fixture.superuser.token)).body
    return results[0].pk
  },
}
