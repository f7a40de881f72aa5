import { OWNER } from '../resources/web/demo/demo-accounts.ts'
import type { Client } from './client.ts'
import { boms, validatedAssemblies } from './data/bom.ts'
import { categories } from './data/categories.ts'
import { companies, type DemoCompany } from './data/companies.ts'
import { customStates, customUnits, exchangeRates, projectCodes, savedViews, settings } from './data/installation.ts'
import { locations, locationTypes } from './data/locations.ts'
import { manufacturerParts } from './data/manufacturer-parts.ts'
import { categoryParameters, parameters, parameterTemplates, selectionLists } from './data/parameters.ts'
import { internalPrices, relatedParts, salePrices, testTemplates } from './data/part-details.ts'
import { parts } from './data/parts.ts'
import { type DemoSupplierPart, supplierParts } from './data/supplier-parts.ts'
import type { Keys } from './keys.ts'
import type { DemoContext } from './past-event.ts'

/** Sets up everything that a workshop has before it orders anything: locations, parts, companies, prices. */
export async function setUp({ client, keys }: DemoContext): Promise<void> {
  for (const owner of await client.list(OWNER, '/api/user/owner/')) keys.set('owner', owner.name, owner)
  await setUpInstallation(client, keys)
  await setUpLocations(client, keys)
  await setUpParts(client, keys)
  await setUpParameters(client, keys)
  await setUpPartDetails(client, keys)
  await setUpBoms(client, keys)
  for (const company of companies) await setUpCompany(client, keys, company)
  await setUpManufacturerParts(client, keys)
  for (const [supplier, partsOfSupplier] of Object.entries(supplierParts))
    for (const supplierPart of partsOfSupplier) await setUpSupplierPart(client, keys, supplier, supplierPart)
}

/** The currency of a company's prices. */
export function getCurrency(name: string): string {
  const company = companies.find((company) => company.name === name)
  if (company === undefined) throw new Error(`the data refers to company ${name}, which does not exist`)
  return company.currency
}

async function setUpInstallation(client: Client, keys: Keys): Promise<void> {
  for (const [key, value] of Object.entries(settings)) await client.patch(OWNER, `/api/settings/global/${key}/`, { value })
  await client.send('PUT', OWNER, '/api/currency/exchange/', { exchange_rates: exchangeRates })
  for (const state of customStates) await client.post(OWNER, '/api/generic/status/custom/', state)
  for (const unit of customUnits) await client.post(OWNER, '/api/units/', unit)
  for (const view of savedViews) await client.post(OWNER, '/api/web/view/', view)
  for (const { code, description, responsible } of projectCodes) {
    const body = { code, description, responsible: keys.get('owner', responsible) }
    keys.set('project', code, await client.post(OWNER, '/api/project-code/', body))
  }
}

async function setUpLocations(client: Client, keys: Keys): Promise<void> {
  for (const type of locationTypes)
    keys.set('location type', type.name, await client.post(OWNER, '/api/stock/location-type/', type))
  for (const { type, parent, owner, ...location } of locations) {
    const created = await client.post(OWNER, '/api/stock/location/', {
      ...location,
      location_type: keys.get('location type', type),
      parent: keys.find('location', parent),
      owner: keys.find('owner', owner),
    })
    keys.set('location', location.name, created)
  }
}

async function setUpParts(client: Client, keys: Keys): Promise<void> {
  for (const { parent, location, keywords, ...category } of categories) {
    const created = await client.post(OWNER, '/api/part/category/', {
      ...category,
      parent: keys.find('category', parent),
      default_location: keys.find('location', location),
      default_keywords: keywords,
    })
    keys.set('category', category.name, created)
  }
  for (const { category, variant_of, responsible, inactive, followed, ...part } of parts) {
    const created = await client.post(OWNER, '/api/part/', {
      ...part,
      category: keys.get('category', category),
      variant_of: keys.find('part', variant_of),
      responsible: keys.find('owner', responsible),
      active: !inactive,
    })
    keys.set('part', part.IPN, created)
    if (followed) await client.patch(OWNER, `/api/part/${created.pk}/`, { starred: true })
  }
}

async function setUpParameters(client: Client, keys: Keys): Promise<void> {
  for (const template of parameterTemplates)
    keys.set('parameter template', template.name, await client.post(OWNER, '/api/part/parameter/template/', template))
  for (const { entries, ...list } of selectionLists) {
    const created = await client.post(OWNER, '/api/selection/', list)
    for (const entry of entries) await client.post(OWNER, `/api/selection/${created.pk}/entry/`, entry)
  }
  for (const [part, values] of Object.entries(parameters))
    for (const [template, data] of Object.entries(values))
      await client.post(OWNER, '/api/part/parameter/', {
        part: keys.get('part', part),
        template: keys.get('parameter template', template),
        data,
      })
  for (const { category, template, default_value } of categoryParameters)
    await client.post(OWNER, '/api/part/category/parameters/', {
      category: keys.get('category', category),
      parameter_template: keys.get('parameter template', template),
      default_value,
    })
}

async function setUpPartDetails(client: Client, keys: Keys): Promise<void> {
  for (const [first, second] of relatedParts)
    await client.post(OWNER, '/api/part/related/', { part_1: keys.get('part', first), part_2: keys.get('part', second) })
  for (const { part, ...test } of testTemplates)
    await client.post(OWNER, '/api/part/test-template/', { ...test, part: keys.get('part', part) })
  for (const [url, prices] of [
    ['/api/part/internal-price/', internalPrices],
    ['/api/part/sale-price/', salePrices],
  ] as const)
    for (const [part, breaks] of Object.entries(prices))
      for (const [quantity, price] of Object.entries(breaks))
        await client.post(OWNER, url, { part: keys.get('part', part), quantity, price, price_currency: 'EUR' })
}

async function setUpBoms(client: Client, keys: Keys): Promise<void> {
  for (const [assembly, lines] of Object.entries(boms))
    for (const { sub_part, substitutes = [], ...line } of lines) {
      const created = await client.post(OWNER, '/api/bom/', {
        ...line,
        part: keys.get('part', assembly),
        sub_part: keys.get('part', sub_part),
      })
      for (const part of substitutes)
        await client.post(OWNER, '/api/bom/substitute/', { bom_item: created.pk, part: keys.get('part', part) })
    }
  for (const assembly of validatedAssemblies)
    await client.send('PUT', OWNER, `/api/part/${keys.get('part', assembly)}/bom-validate/`, { valid: true })
}

async function setUpCompany(client: Client, keys: Keys, company: DemoCompany): Promise<void> {
  const { is, inactive, contacts = [], addresses = [], ...fields } = company
  const roles = {
    is_supplier: is.includes('supplier'),
    is_manufacturer: is.includes('manufacturer'),
    is_customer: is.includes('customer'),
  }
  const created = await client.post(OWNER, '/api/company/', { ...fields, ...roles, active: !inactive })
  keys.set('company', company.name, created)
  for (const contact of contacts)
    keys.set('contact', contact.name, await client.post(OWNER, '/api/company/contact/', { ...contact, company: created.pk }))
  for (const address of addresses) {
    const { pk } = await client.post(OWNER, '/api/company/address/', { ...address, company: created.pk })
    if (address === addresses[0]) keys.set('address', company.name, { pk })
  }
}

async function setUpManufacturerParts(client: Client, keys: Keys): Promise<void> {
  for (const { part, manufacturer, parameters = [], ...fields } of manufacturerParts) {
    const created = await client.post(OWNER, '/api/company/part/manufacturer/', {
      ...fields,
      part: keys.get('part', part),
      manufacturer: keys.get('company', manufacturer),
    })
    keys.set('manufacturer part', fields.MPN, created)
    for (const parameter of parameters)
      await client.post(OWNER, '/api/company/part/manufacturer/parameter/', { ...parameter, manufacturer_part: created.pk })
  }
}

async function setUpSupplierPart(client: Client, keys: Keys, supplier: string, supplierPart: DemoSupplierPart): Promise<void> {
  const { part, MPN, pack, inactive, prices, ...fields } = supplierPart
  const created = await client.post(OWNER, '/api/company/part/', {
    ...fields,
    part: keys.get('part', part),
    supplier: keys.get('company', supplier),
    manufacturer_part: keys.find('manufacturer part', MPN),
    pack_quantity: pack,
    active: !inactive,
  })
  keys.set('supplier part', fields.SKU, created)
  for (const [quantity, price] of Object.entries(prices)) {
    const priceBreak = { part: created.pk, quantity, price, price_currency: getCurrency(supplier) }
    await client.post(OWNER, '/api/company/price-break/', priceBreak)
  }
  const [first] = Object.values(supplierParts)
    .flat()
    .filter((other) => other.part === part)
  if (first === supplierPart) await client.patch(OWNER, `/api/part/${keys.get('part', part)}/`, { default_supplier: created.pk })
}
