import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, type Client, testService } from '../../../testing/service.ts'
import { recomputeNumbers } from '../../parameter/recompute-numbers.ts'

const service = await testService()
const { member } = service
const templates = '/api/part/parameter/template/'
const parameters = '/api/part/parameter/'
const categoryParameters = '/api/part/category/parameters/'

const make = async (path: string, body: object, client: Client = member) => {
  const created = await client.post(path, body)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  return created.body
}
/** Returns the fields that a request is rejected for. */
const getRejectedFields = async (path: string, body: object) => {
  const response = await member.post(path, body)
  assert.equal(response.status, 400, JSON.stringify(response.body))
  return Object.keys(response.body)
}
let count = 0
const makePart = async (body: object = {}): Promise<number> =>
  (await make('/api/part/', { name: `Part ${++count}`, category, ...body })).pk

let parentCategory: number
let category: number
let ohm: number
let colour: number
let checkboxTemplate: number
before(async () => {
  parentCategory = (await make('/api/part/category/', { name: 'Electronics' })).pk
  category = (await make('/api/part/category/', { name: 'Resistors', parent: parentCategory })).pk
  ohm = (await make(templates, { name: 'Resistance', units: 'ohm', description: 'At 25 °C' })).pk
  colour = (await make(templates, { name: 'Colour', choices: 'red, green , blue' })).pk
  checkboxTemplate = (await make(templates, { name: 'Leaded', checkbox: true })).pk
})

describe('POST /api/part/parameter/template/', () => {
  it('creates a template, which requires only a name', async () => {
    const { pk, ...rest } = await make(templates, { name: 'Note' })
    assert.deepEqual(rest, {
      name: 'Note',
      units: '',
      description: '',
      parts: 0,
      checkbox: false,
      choices: '',
      model_type: null,
      selectionlist: null,
      enabled: true,
      unique: 0,
    })
    assert.equal((await member.get(`${templates}${pk}/`)).status, 200)
  })

  it('rejects invalid values', async () => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: 'rESISTANCE' }, 'name'],
      [{ name: 'X', units: 'blorg' }, 'units'],
      [{ name: 'X', units: '5 m' }, 'units'],
      [{ name: 'X', checkbox: true, units: 'm' }, 'units'],
      [{ name: 'X', checkbox: true, choices: 'a' }, 'choices'],
      [{ name: 'X', choices: 'a, b,a' }, 'choices'],
    ] as const)
      assert.deepEqual(await getRejectedFields(templates, body), [field], JSON.stringify(body))
  })
})

describe('GET /api/part/parameter/template/', () => {
  it('filters templates by their fields, and by where they are used', async () => {
    const part = await makePart()
    await make(parameters, { part, template: ohm, data: '1' })
    const listMatches = async (query: string) =>
      (await member.get(`${templates}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk)
    assert.deepEqual(await listMatches('units=ohm'), [ohm])
    assert.deepEqual(await listMatches('has_units=true'), [ohm])
    assert.deepEqual(await listMatches('has_choices=true'), [colour])
    assert.deepEqual(await listMatches('checkbox=true'), [checkboxTemplate])
    assert.deepEqual(await listMatches(`part=${part}`), [ohm])
    assert.deepEqual(await listMatches(`category=${parentCategory}`), [ohm])
    assert.deepEqual(await listMatches('search=25'), [ohm])
    assert.equal((await member.get(`${templates}?category=99999`)).status, 400)
  })
})

describe('PATCH /api/part/parameter/template/{id}/', () => {
  const createTemplate = async (body: object, values: readonly string[]) => {
    const { pk: template } = await make(templates, { name: `T${Math.random()}`, ...body })
    for (const data of values) await make(parameters, { part: await makePart(), template, data })
    const readValues = async () =>
      (await member.get(`${parameters}?template=${template}&ordering=pk`)).body.results.map(
        ({ data, data_numeric }: { data: string; data_numeric: number | null }) => [data, data_numeric],
      )
    return { template, readValues, change: (body: object) => member.patch(`${templates}${template}/`, body) }
  }

  it('converts its values to other units: values without a unit get the previous one', async () => {
    const { template, readValues, change } = await createTemplate({ units: 'm' }, ['25 mm', '3', '2 ft', '3k', '1/2'])
    assert.deepEqual(await readValues(), [
      ['25 mm', 0.025],
      ['3', 3],
      ['2 ft', 0.6096],
      ['3k', 3000],
      ['1/2', 0.5],
    ])
    assert.equal((await change({ units: 'mm' })).status, 200)
    assert.deepEqual(await readValues(), [
      ['25 mm', 25],
      ['3 m', 3000],
      ['2 ft', 609.6],
      ['3k', 3_000_000],
      ['1/2 m', 500],
    ])
    // without units, values are strings and lose nothing: with units again, they have their previous values
    assert.equal((await change({ units: '' })).status, 200)
    assert.deepEqual((await readValues())[1], ['3 m', null])
    assert.equal((await change({ units: 'cm' })).status, 200)
    assert.deepEqual((await readValues())[1], ['3 m', 300])
    assert.equal((await member.delete(`${templates}${template}/`)).status, 204)
    assert.deepEqual(await service.rows('select from parameter where template = $1', [template]), [])
  })

  it('converts degrees, percentages, prefixes and units without another prefix', async () => {
    for (const [oldUnits, newUnits, value, expected] of [
      ['°C', 'K', '25', ['25 °C', 298.15]],
      ['°C', '°F', '100', ['100 °C', 212]],
      ['m', 'mm', '0', ['0', 0]],
      ['kg', 'g', '1.5', ['1.5 kg', 1500]],
      ['%', '‰', '5', ['5 %', 50]],
      ['pF', 'nF', '33p', ['33p', 0.033]],
      ['pF', 'nF', '33', ['33 pF', 0.033]],
      ['kohm', 'ohm', '4,7', ['4,7 kohm', 4700]],
      ['inch', 'mm', '1k', ['1000 inch', 25_400]],
      ['1/s', '1/min', '5', ['300', 300]],
      ['W', 'mW', '3 dozen', ['3 dozen W', 36_000]],
      ['m', 'metre', '3', ['3', 3]],
    ] as const) {
      const { readValues, change } = await createTemplate({ units: oldUnits }, [value])
      const { status, body } = await change({ units: newUnits })
      assert.deepEqual(
        [status, await readValues()],
        [200, [expected]],
        `${value} from ${oldUnits} to ${newUnits}: ${JSON.stringify(body)}`,
      )
    }
  })

  it('converts the default values of categories, and its choices', async () => {
    const { template, readValues, change } = await createTemplate({ units: 'V', choices: '3, 5, 12 V' }, ['3', '12 V'])
    const categoryDefault = await make(categoryParameters, { category, parameter_template: template, default_value: '5' })
    const { status, body } = await change({ units: 'mV' })
    assert.deepEqual([status, body.choices], [200, '3 V, 5 V, 12 V'])
    assert.equal((await member.get(`${categoryParameters}${categoryDefault.pk}/`)).body.default_value, '5 V')
    assert.deepEqual(await readValues(), [
      ['3 V', 3000],
      ['12 V', 12_000],
    ])
    await service.rows('delete from part_category_parameter_template')
  })

  it('is rejected with the values that cannot be converted, and then changes nothing', async () => {
    const { template, readValues, change } = await createTemplate({ units: 'm' }, ['3', '25 mm'])
    const categoryDefault = await make(categoryParameters, { category, parameter_template: template, default_value: '2' })
    const before = [await readValues(), (await member.get(`${templates}${template}/`)).body]
    const { status, body } = await change({ units: 'kg', description: 'other' })
    assert.deepEqual([status, Object.keys(body)], [400, ['units']])
    assert.match(body.units[0], /^These values cannot be converted to kg: 2 \(.*Resistors\); 25 mm \(.+\); 3 \(.+\)$/)
    assert.deepEqual([await readValues(), (await member.get(`${templates}${template}/`)).body], before)
    assert.equal((await member.get(`${categoryParameters}${categoryDefault.pk}/`)).body.default_value, '2')

    const texts = await createTemplate({}, [...Array.from({ length: 12 }, (_, index) => `blue ${index}`), '3'])
    const rejection = await texts.change({ units: 'm' })
    assert.match(rejection.body.units[0], /^These values, and 2 more, cannot be converted to m: blue 0 \(/)
    assert.equal((await texts.readValues())[12][1], 3)
    const choices = await createTemplate({ choices: 'red, 3' }, [])
    assert.deepEqual((await choices.change({ units: 'm' })).body.units, ['These values cannot be converted to m: red'])
    assert.equal((await choices.change({ units: 'm', choices: '1, 3' })).status, 200)
    await service.rows('delete from part_category_parameter_template')
  })

  it('leaves non-numeric values unchanged while PART_PARAMETER_ENFORCE_UNITS is off', async () => {
    const setting = '/api/settings/global/PART_PARAMETER_ENFORCE_UNITS/'
    await service.superuser.patch(setting, { value: false })
    try {
      const { readValues, change } = await createTemplate({ units: 'm' }, ['5 V', '3'])
      assert.equal((await change({ units: 'mm' })).status, 200)
      assert.deepEqual(await readValues(), [
        ['5 V', null],
        ['3 m', 3000],
      ])
      assert.equal((await change({ units: 'kg' })).status, 400)
    } finally {
      await service.superuser.patch(setting, { value: true })
    }
  })
})

describe('startup after an update that reads values differently', () => {
  it('recomputes the numbers of marked templates, once', async () => {
    const { pk: template } = await make(templates, { name: 'Capacitance', units: 'pF' })
    const values = ['33p', '2n2', '47', '10 pF']
    for (const data of values) await make(parameters, { part: await makePart(), template, data })
    const readNumbers = async () =>
      (await service.rows('select data_numeric from parameter where template = $1 order by pk', [template])).map(
        ({ data_numeric }) => Number(data_numeric),
      )
    await service.rows(
      `update parameter set data_numeric = case data when '33p' then 3.3e-11 when '2n2' then 2.2e-9 when '10 pF' then 10.000000000000002 else 1 end
       where template = $1`,
      [template],
    )
    await recomputeNumbers(service.pool)
    assert.deepEqual(await readNumbers(), [3.3e-11, 2.2e-9, 1, 10.000000000000002])
    await service.rows('update parameter_template set numbers_outdated = true where pk = $1', [template])
    await recomputeNumbers(service.pool)
    assert.deepEqual(await readNumbers(), [33, 2200, 47, 10.000000000000002])
    assert.deepEqual(await service.rows('select from parameter_template where numbers_outdated'), [])
  })
})

describe('POST /api/part/parameter/', () => {
  it('returns the number of a value in the units of its template', async () => {
    for (const [data, number] of [
      ['4k7', 4700],
      ['4.7 kohm', 4700],
      ['1K2', 1200],
      ['470', 470],
      ['1e3', 1000],
      ['2 Mohm', 2_000_000],
      ['10R', 10],
      ['R10', 0.1],
      ['4,7k', 4700],
    ] as const)
      assert.equal((await make(parameters, { part: await makePart(), template: ohm, data })).data_numeric, number, data)
    const { pk: template } = await make(templates, { name: 'Text' })
    for (const [data, number] of [
      ['0402', 402],
      ['1.5', 1.5],
      ['-2e2', -200],
      ['4k7', null],
      ['1e999', null],
      ['Infinity', null],
      ['blue', null],
    ] as const)
      assert.equal(
        (await make(parameters, { part: await makePart(), template, data, data_numeric: 7 })).data_numeric,
        number,
        data,
      )
  })

  it('stores values of a checkbox as True and False', async () => {
    for (const [data, stored, number] of [
      ['yes', 'True', 1],
      ['1', 'True', 1],
      ['false', 'False', 0],
      ['perhaps', 'False', 0],
    ] as const) {
      const { data: storedData, data_numeric } = await make(parameters, {
        part: await makePart(),
        template: checkboxTemplate,
        data,
      })
      assert.deepEqual([storedData, data_numeric], [stored, number])
    }
  })

  it('rejects invalid values, naming the field', async () => {
    const part = await makePart()
    await make(parameters, { part, template: colour, data: 'green' })
    for (const [body, field] of [
      [{ part, template: colour, data: 'red' }, 'non_field_errors'],
      [{ part, template: ohm, data: '5 V' }, 'data'],
      [{ part, template: ohm, data: 'much' }, 'data'],
      [{ part, template: ohm, data: '' }, 'data'],
      [{ part, template: ohm, data: '1', data_numeric: 'abc' }, 'data_numeric'],
      [{ part: await makePart(), template: colour, data: 'pink' }, 'data'],
      [{ part, template: 99_999, data: '1' }, 'template'],
      [{ part: 99_999, template: ohm, data: '1' }, 'part'],
    ] as const)
      assert.deepEqual(await getRejectedFields(parameters, body), [field], JSON.stringify(body))
  })

  it('accepts any value while PART_PARAMETER_ENFORCE_UNITS is off', async () => {
    const setting = '/api/settings/global/PART_PARAMETER_ENFORCE_UNITS/'
    await service.superuser.patch(setting, { value: false })
    try {
      const created = await make(parameters, { part: await makePart(), template: ohm, data: '5 V' })
      assert.deepEqual([created.data, created.data_numeric], ['5 V', null])
    } finally {
      await service.superuser.patch(setting, { value: true })
    }
  })

  it('stores one value per template for concurrent requests', async () => {
    const part = await makePart()
    const created = await Promise.all(
      Array.from({ length: 5 }, () => member.post(parameters, { part, template: ohm, data: '1' })),
    )
    assert.deepEqual(created.map(({ status }) => status).sort(), [201, 400, 400, 400, 400])
  })

  it('requires the permission to add parts, or to change them', async () => {
    const part = await makePart()
    const add = (client: Client) => client.post(parameters, { part, template: ohm, data: '1' })
    await assertCallers(service, add, ['member', 'superuser'], () => service.rows('select pk from parameter'))
    await service.rows(
      `update rule_set set can_change = true where name = 'part' and "group" in (
         select "group" from user_group_member member join user_account account on account.pk = member."user" where account.username = 'viewer')`,
    )
    service.app.routes.services.accounts.invalidate()
    const created = await service.viewer.post(parameters, { part, template: colour, data: 'red' })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    assert.equal((await service.viewer.delete(`${parameters}${created.body.pk}/`)).status, 204)
    assert.equal((await service.viewer.post(templates, { name: 'Not mine' })).status, 403)
  })
})

describe('GET /api/part/parameter/', () => {
  it('lists the parameters of a part, and on request those of its variants', async () => {
    const template = await makePart({ is_template: true })
    const variant = await makePart({ variant_of: template })
    await make(parameters, { part: template, template: ohm, data: '1' })
    await make(parameters, { part: variant, template: ohm, data: '2' })
    const listMatches = async (query: string) =>
      (await member.get(`${parameters}?${query}`)).body.results.map(({ data }: { data: string }) => data)
    assert.deepEqual(await listMatches(`part=${template}`), ['1'])
    assert.deepEqual(await listMatches(`part=${template}&include_variants=true&ordering=-data`), ['2', '1'])
    const [parameter] = (await member.get(`${parameters}?part=${variant}&part_detail=true&template_detail=false`)).body.results
    assert.deepEqual([parameter.part_detail.pk, parameter.template_detail], [variant, undefined])
    assert.equal((await member.get(`${parameters}?part=abc`)).status, 400)
    const { body } = await member.get(`/api/part/${variant}/?parameters=true`)
    assert.deepEqual(
      body.parameters.map((entry: { data: string; template_detail: { name: string } }) => [
        entry.template_detail.name,
        entry.data,
      ]),
      [['Resistance', '2']],
    )
  })
})

describe('POST /api/part/category/parameters/', () => {
  it('gives new parts the parameters of their category and those above it, preferring the nearest', async () => {
    const categoryDefault = await make(categoryParameters, {
      category: parentCategory,
      parameter_template: ohm,
      default_value: '1k',
    })
    assert.deepEqual(
      [categoryDefault.category_detail.name, categoryDefault.parameter_template_detail.name],
      ['Electronics', 'Resistance'],
    )
    await make(categoryParameters, { category: parentCategory, parameter_template: colour })
    const own = await make(categoryParameters, { category, parameter_template: ohm, default_value: '2k2' })
    const readParameters = async (part: number) =>
      (await member.get(`${parameters}?part=${part}`)).body.results.map(
        ({ template, data, data_numeric }: Record<string, unknown>) => [template, data, data_numeric],
      )
    assert.deepEqual(await readParameters(await makePart()), [
      [ohm, '2k2', 2200],
      [colour, '', null],
    ])
    assert.deepEqual(await readParameters(await makePart({ copy_category_parameters: false })), [])
    const original = await makePart({ copy_category_parameters: false })
    await make(parameters, { part: original, template: ohm, data: '7' })
    assert.deepEqual(await readParameters(await makePart({ duplicate: { part: original, copy_parameters: true } })), [
      [ohm, '7', 7],
      [colour, '', null],
    ])
    assert.deepEqual(await readParameters(await makePart({ duplicate: { part: original }, copy_category_parameters: false })), [])

    const listMatches = async (query: string) =>
      (await member.get(`${categoryParameters}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk).length
    assert.deepEqual(
      await Promise.all([`category=${category}`, `category=${category}&fetch_parent=false`].map(listMatches)),
      [3, 1],
    )
    assert.equal(await listMatches('category=99999'), 3)
    await service.rows('delete from part_category_parameter_template')
    assert.equal((await member.get(`${categoryParameters}${own.pk}/`)).status, 404)
  })

  it('rejects invalid values', async () => {
    await make(categoryParameters, { category, parameter_template: colour })
    assert.deepEqual(await getRejectedFields(categoryParameters, { category, parameter_template: colour }), ['non_field_errors'])
    assert.deepEqual(await getRejectedFields(categoryParameters, { category, parameter_template: ohm, default_value: '5 V' }), [
      'default_value',
    ])
    assert.deepEqual((await getRejectedFields(categoryParameters, {})).sort(), ['category', 'parameter_template'])
    await service.rows('delete from part_category_parameter_template')
  })
})

describe('GET /api/part/?parameter_<template>=', () => {
  let inductance: number
  let mark: number
  before(async () => {
    inductance = (await make(templates, { name: 'Inductance', units: 'H' })).pk
    mark = (await make(templates, { name: 'Mark' })).pk
    for (const [name, value, text] of [
      ['L1', '1 uH', 'alpha'],
      ['L2', '4u7', 'Beta'],
      ['L3', '0.0001', 'gamma'],
      ['L4', undefined, 'delta'],
    ] as const) {
      const part = await makePart({ name })
      if (value) await make(parameters, { part, template: inductance, data: value })
      await make(parameters, { part, template: mark, data: text })
    }
  })
  const listMatches = async (query: string): Promise<string[]> => {
    const { status, body } = await member.get(`/api/part/?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.results.map(({ name }: { name: string }) => name)
  }

  it('compares in any unit of the dimension', async () => {
    const filter = `parameter_${inductance}`
    assert.deepEqual(await listMatches(`${filter}=4700 nH`), ['L2'])
    assert.deepEqual(await listMatches(`${filter}=0.0047 mH`), ['L2'])
    assert.deepEqual(await listMatches(`${filter}_gt=4.7u`), ['L3'])
    assert.deepEqual(await listMatches(`${filter}_gte=4.7u`), ['L2', 'L3'])
    assert.deepEqual(await listMatches(`${filter}_lt=4u7`), ['L1'])
    assert.deepEqual(await listMatches(`${filter}_lte=4u7`), ['L1', 'L2'])
    assert.deepEqual(await listMatches(`${filter}_ne=4u7`), ['L1', 'L3'])
    assert.deepEqual(await listMatches(`${filter}_gt=1u&${filter}_lt=50u`), ['L2'])
    assert.deepEqual(await listMatches(`${filter}=`), await listMatches(''))
  })

  it('treats values that another system computed in binary floating point as equal', async () => {
    await service.rows(`update parameter set data_numeric = 0.00000470000000000000012 where data = '4u7'`)
    assert.deepEqual(await listMatches(`parameter_${inductance}=4.7 uH`), ['L2'])
    assert.deepEqual(await listMatches(`parameter_${inductance}_gt=4.7 uH`), ['L3'])
  })

  it('compares as text without units, and sees changes immediately', async () => {
    const filter = `parameter_${mark}`
    assert.deepEqual(await listMatches(`${filter}=BETA`), ['L2'])
    assert.deepEqual(await listMatches(`${filter}_gt=beta`), ['L3', 'L4'])
    assert.deepEqual(await listMatches(`${filter}_ne=beta&parameter_${inductance}_gt=0`), ['L1', 'L3'])
    await service.rows(`update parameter set data = 'beta2' where data = 'Beta'`)
    assert.deepEqual(await listMatches(`${filter}=BETA`), [])
  })

  it('compares checkbox values', async () => {
    const part = await makePart({ name: 'Leaded one' })
    await make(parameters, { part, template: checkboxTemplate, data: 'true' })
    assert.ok((await listMatches(`parameter_${checkboxTemplate}=1`)).includes('Leaded one'))
    assert.ok(!(await listMatches(`parameter_${checkboxTemplate}=false`)).includes('Leaded one'))
  })

  it('rejects unknown templates, unknown units, and too many conditions', async () => {
    for (const name of ['parameter_99999', 'parameter_9999999999_gt', `parameter_${inductance}`, `parameter_${inductance}_ne`]) {
      const { status, body } = await member.get(`/api/part/?${name}=5 V`)
      assert.deepEqual([status, Object.keys(body)], [400, [name]])
    }
    const manyConditions = Array.from({ length: 21 }, (_, n) => `parameter_${n + 1}=1`).join('&')
    assert.equal((await member.get(`/api/part/?${manyConditions}`)).status, 400)
    assert.deepEqual(await listMatches('parameter_x=1&limit=1'), await listMatches('limit=1'))
  })

  it('sorts by parameters, with parts without the parameter at the end', async () => {
    const listSorted = async (name: string) =>
      (await listMatches(`ordering=${name}&search=L`)).filter((entry) => /^L\d$/.test(entry))
    assert.deepEqual(await listSorted(`parameter_${inductance}`), ['L1', 'L2', 'L3', 'L4'])
    assert.deepEqual(await listSorted(`-parameter_${inductance}`), ['L3', 'L2', 'L1', 'L4'])
    assert.deepEqual(await listSorted(`-parameter_${mark}`), ['L3', 'L4', 'L2', 'L1'])
  })
})
