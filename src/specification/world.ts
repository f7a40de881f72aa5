import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pathToFileURL } from 'node:url'
import { printing } from '../testing/printing.ts'
import { type TestMailServer, testMailServer } from '../testing/servers/mail.ts'
import { pluginPackage } from '../testing/servers/npm-registry.ts'
import { PASSWORD, type TestService, testService } from '../testing/service.ts'

/** A JSON object of a request or a response. */
export type Body = Record<string, unknown>

export type Headers = Record<string, string>

/** An account, and its credentials in the three ways that a request can authenticate. */
export type Account = { pk: number; username: string; email: string; cookie: Headers; token: Headers; basic: Headers }

/** The environment of the tests: a service in its default wire form, without effective rate limits. */
export type World = {
  service: TestService
  mail: TestMailServer
  member: Account
  staff: Account
  superuser: Account
  /** Creates another account, without a role. */
  account(): Promise<Account>
  /** Creates an object by the API, and returns its key. */
  create(path: string, body: Body): Promise<number>
}

const PROVIDERS = [
  { id: 'works', name: 'Works', issuer: 'https://id.works.example', client_id: 'stock', client_secret: 'a secret' },
  { id: 'google', preset: 'google' },
]

export async function testWorld(): Promise<World> {
  const mail = await testMailServer()
  const many = '100000'
  const { DATA_DIR } = await printing()
  const service = await testService({
    DATA_DIR,
    SMTP_URL: mail.url,
    MAIL_AGAIN_SECONDS: '0',
    SIGN_IN_RATE: many,
    REGISTRATION_RATE: many,
    WRONG_CREDENTIALS: many,
    SSO_PROVIDERS: JSON.stringify(PROVIDERS),
  })
  const known = (username: 'member' | 'staff' | 'superuser') =>
    credentials(service, { pk: service.pkOf(username), username, email: '' })
  const superuser = await known('superuser')
  return {
    service,
    mail,
    member: await known('member'),
    staff: await known('staff'),
    superuser,
    async account() {
      const username = `account-${randomUUID()}`
      const email = mailAddress(40)
      const [row] = await service.rows(
        `insert into user_account (username, email, password)
         select $1, $2, password from user_account where username = 'member' returning pk`,
        [username, email],
      )
      await service.rows(`insert into email_address ("user", email, verified, "primary") values ($1, $2, true, true)`, [
        row.pk,
        email,
      ])
      return credentials(service, { pk: row.pk, username, email })
    },
    async create(path, body) {
      const made = await service.anonymous.post(path, body, superuser.token)
      assert.equal(made.status, 201, `POST ${path}: ${made.text}`)
      return made.body.pk
    },
  }
}

/** Opens a session of an account and creates a token. */
async function credentials(service: TestService, of: Pick<Account, 'pk' | 'username' | 'email'>): Promise<Account> {
  const session = randomUUID()
  await service.rows(
    `insert into user_session ("user", id_hash, expires) values ($1, sha256(convert_to($2, 'UTF8')), now() + interval '1 hour')`,
    [of.pk, session],
  )
  const cookie = { cookie: `sessionid=${session}` }
  const { body } = await service.anonymous.get('/api/user/token/', cookie)
  return {
    ...of,
    cookie,
    token: { authorization: `Token ${body.token}` },
    basic: { authorization: `Basic ${Buffer.from(`${of.username}:${PASSWORD}`).toString('base64')}` },
  }
}

let addresses = 0
/** Returns a unique mail address of this length. */
export function mailAddress(length: number): string {
  const name = `a${++addresses}@`
  const domain = 'example.'.repeat(32).slice(0, length - name.length - 3)
  return `${name}${domain.replace(/\.$/, 'x')}.nl`
}

let last = 1000
const next = () => ++last

const of =
  (path: string, body: (name: string, world: World) => Body | Promise<Body>) =>
  async (world: World): Promise<number> =>
    world.create(path, await body(`No. ${next()}`, world))

const supplier = of('/api/company/', (name) => ({ name, is_supplier: true, currency: 'USD' }))
const customer = of('/api/company/', (name) => ({ name, is_customer: true }))
const category = of('/api/part/category/', (name) => ({ name }))
const part = of('/api/part/', async (name, world) => ({
  name,
  category: await category(world),
  assembly: true,
  purchaseable: true,
  salable: true,
}))
const supplierPart = async (world: World, company?: number, sku = `SKU-${next()}`): Promise<number> =>
  world.create('/api/company/part/', { part: await part(world), supplier: company ?? (await supplier(world)), SKU: sku })
const order = of('/api/order/po/', async (_, world) => ({ reference: make.reference(), supplier: await supplier(world) }))

/** Creates objects of each kind that bodies refer to: a new one for each call. */
export const make = {
  /** Returns an unused reference of a purchase order, by the default pattern. */
  reference: () => `PO-${next()}`,
  supplier,
  part,
  order,
  supplierPart: (world: World) => supplierPart(world),
  /** Creates a part of the supplier of the body's order. */
  async supplierPartOfOrder(world: World, body: Body): Promise<number> {
    const { supplier: company } = (await world.service.anonymous.get(`/api/order/po/${body.order}/`, world.superuser.token)).body
    return supplierPart(world, company)
  },
  contact: (world: World, company: number) => world.create('/api/company/contact/', { company, name: `Contact ${next()}` }),
  address: (world: World, company: number) => world.create('/api/company/address/', { company, title: `Address ${next()}` }),
  projectCode: of('/api/project-code/', (code) => ({ code })),
  location: of('/api/stock/location/', (name) => ({ name })),
  stockItem: of('/api/stock/', async (batch, world) => ({ part: await part(world), quantity: 10, batch })),
  manufacturerPart: of('/api/company/part/manufacturer/', async (MPN, world) => ({
    part: await part(world),
    manufacturer: await world.create('/api/company/', { name: MPN, is_manufacturer: true }),
    MPN,
  })),
  build: of('/api/build/', async (title, world) => ({ title, part: await part(world), quantity: 1, reference: `BO-${next()}` })),
  returnOrder: of('/api/order/ro/', async (_, world) => ({ reference: `RMA-${next()}`, customer: await customer(world) })),
  /** Creates a pending order, and a part that its supplier sells. */
  async orderedPart(world: World): Promise<{ order: number; part: number }> {
    const company = await supplier(world)
    const sold = await supplierPart(world, company)
    const { part } = (await world.service.anonymous.get(`/api/company/part/${sold}/`, world.superuser.token)).body
    return { order: await world.create('/api/order/po/', { reference: make.reference(), supplier: company }), part }
  },
  /** Creates a placed order of ten pieces of a supplier's part, with a location to receive them. */
  async placedOrder(world: World): Promise<{ order: number; reference: string; sku: string }> {
    const company = await supplier(world)
    const sku = `SKU-${next()}`
    const reference = make.reference()
    const order = await world.create('/api/order/po/', { reference, supplier: company })
    const [part, destination] = [await supplierPart(world, company, sku), await make.location(world)]
    await world.create('/api/order/po-line/', { order, part, destination, quantity: 10 })
    await world.service.anonymous.post(`/api/order/po/${order}/issue/`, {}, world.superuser.token)
    return { order, reference, sku }
  },
  /** Creates a pending sales order with a line and a shipment, and stock of the part in the line. */
  async salesOrder(world: World): Promise<{ order: number; line: number; shipment: number; item: number }> {
    const item = await make.stockItem(world)
    const { part } = (await world.service.anonymous.get(`/api/stock/${item}/`, world.superuser.token)).body
    const reference = `SO-${next()}`
    const order = await world.create('/api/order/so/', { reference, customer: await customer(world) })
    const line = await world.create('/api/order/so-line/', { order, part, quantity: 5 })
    const shipment = await world.create('/api/order/so/shipment/', { order, reference: '1' })
    return { order, line, shipment, item }
  },
  /** Returns the path of a folder with a plugin package. */
  async pluginPackage(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'stockroom-plugin-'))
    after(() => rm(folder, { recursive: true }))
    const files = pluginPackage({ name: 'stockroom-to-try', slug: 'to-try' })
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return pathToFileURL(folder).href
  },
  owner: async (world: World): Promise<number> => {
    const { results } = (await world.service.anonymous.get('/api/user/owner/', world.superuser.token)).body
    return results[0].pk
  },
}
