import { Type } from 'typebox'
import { action, view } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { signedIn, staff } from '../../../kit/request/caller.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import {
  buildUnitRegistry,
  type CustomUnit,
  checkCustomUnit,
  expressInBaseUnits,
} from '../../../notation/units/physical-units.ts'
import { readCustomUnits } from '../../units/unit-registry.ts'

const conversion = {
  amount: Type.String({ description: 'The amount of the base unit in one unit.' }),
  base_unit: Type.String({ description: 'The base unit, such as `m` or `g/m²`; empty for a plain number.' }),
}

/** The size of every custom unit. */
const listUnitConversions = view({
  path: '/api/web/unit-conversions/',
  summary: 'List the sizes of custom units in base units',
  description: 'The amount of a base unit in one of each custom unit, such as 100 m in a spool.',
  access: signedIn,
  response: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name of the unit.' }),
      amount: Type.Union([conversion.amount, Type.Null()], {
        description: 'The amount of the base unit in one unit; null if its definition cannot be read, as after an import.',
      }),
      base_unit: conversion.base_unit,
    }),
  ),
  async read(request) {
    const units = await readCustomUnits({ query: queryThrough(request) })
    const { registry } = buildUnitRegistry(units)
    return units.map(({ name }) => ({ name, ...(expressInBaseUnits(name, registry) ?? { amount: null, base_unit: '' }) }))
  },
})

/** Checks a unit before it is saved, and returns its size. */
const previewUnit = action({
  method: 'POST',
  path: '/api/web/unit-conversions/',
  summary: 'Check a custom unit, and get its size',
  description: 'Checks a custom unit as creating or changing it would, and returns its size in base units. Stores nothing.',
  errors: { invalid: 'A name or symbol is taken or not a word, or the definition cannot be read.' },
  example: { body: { name: 'bobbin', definition: '25 metre' } },
  access: staff,
  status: 200,
  body: {
    pk: input.optional(input.integer({ min: 1, help: 'The key of the unit to change; without one, a new unit is checked.' })),
    name: input.text({ max: 50, required: true, help: 'The name of the unit.' }),
    symbol: input.text({ max: 10, default: '', help: 'Its symbol; empty for none.' }),
    definition: input.text({ max: 50, required: true, help: 'The size of one unit, in known units.' }),
  },
  response: Type.Object(conversion),
  async run({ tx, body }) {
    const { pk, ...values } = body
    const others = await readCustomUnits(tx, pk)
    const unit = values as CustomUnit
    const errors = checkCustomUnit(unit, others)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return expressInBaseUnits(unit.name, buildUnitRegistry([...others, unit]).registry)
  },
})

export const unitConversions = [listUnitConversions, previewUnit]
