import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toExact } from '../../kit/values/decimal.ts'
import {
  areCompatible,
  buildUnitRegistry,
  checkCustomUnit,
  convertToUnit,
  isKnownUnit,
  parsePackQuantity,
  UnitError,
} from './physical-units.ts'
import { RARE_UNITS } from './rare-units.ts'
import { unitErrors } from './unit-errors.ts'
import { BASE_UNITS, COUNTING_UNITS, STANDARD_UNITS, TEMPERATURES } from './unit-table.ts'

const custom = [
  { name: 'R', symbol: '', definition: 'ohm' },
  { name: 'fanciful_unit', symbol: 'hpmm', definition: 'henry / mm' },
]
const { registry } = buildUnitRegistry(custom)
const convert = (value: string, unit: string) => convertToUnit(value, unit, registry)
const names = [
  ...BASE_UNITS.flat(),
  ...[...COUNTING_UNITS, ...STANDARD_UNITS, ...RARE_UNITS].flatMap(([, ...all]) => all),
  ...TEMPERATURES.flatMap(([, , ...all]) => all),
]

test('parsePackQuantity reads packs of supplier parts', () => {
  const cases: [string, string | null, string][] = [
    ['5 inches', 'm', '0.127'],
    ['14 feet', 'm', '4.2672'],
    ['0.5 miles', 'm', '804.672'],
    ['3km', 'm', '3000'],
    ['feet', 'm', '0.3048'],
    ['250 ml', 'litres', '0.25'],
    ['25 litres', 'litres', '25'],
    ['1 metre', 'm', '1'],
    ['100', 'm', '100'],
    ['1/3', 'm', '0.3333333333'],
    ['', null, '1'],
    [' ', 'm', '1'],
    ['10', '', '10'],
    ['2 dozen', null, '24'],
  ]
  for (const [pack, unit, expected] of cases) assert.equal(parsePackQuantity(pack, unit, registry), expected, pack)
  const compatible = /must be compatible/
  for (const pack of ['1.2m', '5 metres', 'box', '5 inches'])
    assert.throws(() => parsePackQuantity(pack, '', registry), compatible)
  assert.throws(() => parsePackQuantity('5 kg', 'm', registry), compatible)
  for (const pack of ['0', '-1', '0.00000000001'])
    assert.throws(() => parsePackQuantity(pack, '', registry), /must be greater than zero/)
  assert.throws(() => parsePackQuantity('1e11', '', registry), UnitError)
})

test('convertToUnit reads values of parameters', () => {
  const cases: [value: string, unit: string, expected: string][] = [
    ['2.03mm', 'm', '0.00203'],
    ['5', 'mm', '5'],
    ['.1', 'percent', '0.1'],
    ['5 %', 'percent', '5'],
    ['5%', '', '0.05'],
    ['1K2', 'ohm', '1200'],
    ['2k20', 'ohms', '2200'],
    ['22k0R', 'ohms', '22000'],
    ['220kR', 'ohms', '220000'],
    ['10R', 'ohms', '10'],
    ['4R7', 'Ω', '4.7'],
    ['10K', 'ohm', '10000'],
    ['3u', 'm', '0.000003'],
    ['3μ', 'm', '0.000003'],
    ['33k3ohm', 'ohm', '33300'],
    ['123kohm45', 'ohm', '123450'],
    ['10n005', 'ohm', '0.000000010005'],
    ['100nF', 'F', '0.0000001'],
    ['1µF', 'F', '0.000001'],
    ['1/10', 'W', '0.1'],
    ['50 dozen kW', 'W', '600000'],
    ['1/2 dozen kW', 'W', '6000'],
    ['3 dozen', 'W', '36'],
    ['3E2', '', '300'],
    ['-12.3E-3', '', '-0.0123'],
    ['-1 / 16', '', '-0.0625'],
    ['12 pieces', '', '12'],
    ['ea', '', '1'],
    ["3'", 'inches', '36'],
    ['1 "', 'mm', '25.4'],
    ['100 thou', 'mm', '2.54'],
    ['5 m2', 'cm^2', '50000'],
    ['1 l', 'm³', '0.001'],
    ['2 square feet', 'in**2', '288'],
    ['90 km per hour', 'm/s', '25'],
    ['9.81 N', 'kg m/s^2', '9.81'],
    ['5 nV/Hz^0.5', 'V/Hz^0.5', '0.000000005'],
    ['0.3 hpmm', 'henry / km', '300000'],
    ['1 KiB', 'bit', '8192'],
    ['3 dBm', 'dBm', '3'],
    ['12 inHg', 'Pa', '40636.663684092'],
    ['20 denier', 'dtex', '22.2222222222222222222222222222'],
    ['3 troy_pound', 'grain', '17280'],
    ['5 Oe', 'A/m', '397.887357729738339422209408431'],
    // read as a prefix, although a unit has this name
    ['10u', 'g', '0.00001'],
    ['10u', 'u', '10'],
    ['10 u', 'dalton', '10'],
  ]
  for (const [value, unit, expected] of cases) assert.equal(convert(value, unit), expected, `${value} in ${unit}`)
})

test('convertToUnit reads engineering notation of resistors, capacitors and inductors, without a custom unit R', () => {
  const { registry } = buildUnitRegistry([])
  const cases: [value: string, unit: string, expected: string][] = [
    ['10R', 'ohm', '10'],
    ['1R2', 'ohm', '1.2'],
    ['0R1', 'ohm', '0.1'],
    ['0R', 'ohm', '0'],
    ['R10', 'ohm', '0.1'],
    ['R047', 'mohm', '47'],
    ['4K7', 'ohm', '4700'],
    ['4,7k', 'ohm', '4700'],
    ['4k7', 'kΩ', '4.7'],
    ['4k7 Ω', 'kΩ', '4.7'],
    ['10R', 'kohm', '0.01'],
    ['10 R', 'Mohm', '0.00001'],
    ['10 Rohm', 'ohm', '10'],
    ['10KOHM', 'kΩ', '10'],
    ['k47', 'ohm', '470'],
    ['10m', 'ohm', '0.01'],
    ['10M', 'ohm', '10000000'],
    ['10M', 'MΩ', '10'],
    ['10 m', 'mΩ', '10'],
    ['4L7', 'mΩ', '4.7'],
    ['2n2', 'pF', '2200'],
    ['33p', 'pF', '33'],
    ['33', 'pF', '33'],
    ['33p', 'nF', '0.033'],
    ['n47', 'nF', '0.47'],
    ['100nF', 'F', '0.0000001'],
    ['100nf', 'pF', '100000'],
    ['1F5', 'F', '1.5'],
    ['4u7', 'uF', '4.7'],
    ['4µ7', 'μF', '4.7'],
    ['4μ7', 'uF', '4.7'],
    ['４μ７Ｆ', 'µF', '4.7'],
    ['4u7', 'H', '0.0000047'],
    ['10uh', 'µH', '10'],
    ['4mH7', 'uH', '4700'],
    ['2,2 mH', 'mH', '2.2'],
    ['10f', 'fF', '10'],
  ]
  for (const [value, unit, expected] of cases) assert.equal(convertToUnit(value, unit, registry), expected, `${value} in ${unit}`)
  // ambiguous values: R is not a unit of capacitors, peta not one of their prefixes, h neither an hour nor hecto
  for (const [value, unit] of [
    ['10R', 'F'],
    ['4R7', 'H'],
    ['33PF', 'pF'],
    ['10h', 'H'],
    ['10E', 'ohm'],
    ['10 Q', 'ohm'],
    ['4k7k', 'ohm'],
    ['4k7 1%', 'ohm'],
    ['4k7nF', 'ohm'],
    ['1,000', 'ohm'],
    ['4,700k', 'ohm'],
    ['1e9999R', 'ohm'],
  ] as const)
    assert.throws(() => convertToUnit(value, unit, registry), UnitError, `${value} in ${unit}`)
})

test('property: a value in engineering notation is equal in every unit of its kind', () => {
  const { registry } = buildUnitRegistry([])
  const kinds = [
    { unit: 'ohm', names: ['R', 'Ω', 'ohm', 'Ohm'] },
    { unit: 'F', names: ['F', 'farad'] },
    { unit: 'H', names: ['H', 'henry'] },
  ]
  const prefixes = { p: -12, n: -9, u: -6, µ: -6, μ: -6, m: -3, k: 3, M: 6, G: 9 }
  const prefix = fc.constantFrom(...(Object.keys(prefixes) as (keyof typeof prefixes)[]))
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.nat(9999),
      fc.nat(99).map((digits) => String(digits).padStart(2, '0')),
      prefix,
      fc.option(prefix),
      fc.nat(),
      ({ unit, names }, whole, fraction, prefixLetter, targetPrefix, nameIndex) => {
        const name = names[nameIndex % names.length]
        const target = `${targetPrefix ?? ''}${unit}`
        const expected = toExact(`${whole}.${fraction}`).times(
          `1e${prefixes[prefixLetter] - (targetPrefix ? prefixes[targetPrefix] : 0)}`,
        )
        for (const value of [
          `${whole}${prefixLetter}${fraction}`,
          `${whole}${prefixLetter}${fraction}${name}`,
          `${whole}.${fraction}${prefixLetter}`,
          `${whole},${fraction} ${prefixLetter}${name}`,
        ])
          assert.ok(toExact(convertToUnit(value, target, registry)).eq(expected), `${value} in ${target}`)
        assert.equal(convertToUnit(String(whole), target, registry), String(whole))
      },
    ),
  )
})

test('a bare number is in the given unit, with only a prefix in that of the base unit', () => {
  const cases: [value: string, unit: string, expected: string][] = [
    ['5', 'kg', '5'],
    ['5k', 'kg', '5'],
    ['500g', 'kg', '0.5'],
    ['1 Kg', 'kg', '1'],
    ['5m', 'kg', '0.000005'],
    ['4.7 k', 'g', '4700'],
    ['1,5', 'kg', '1.5'],
    ['5', 'mm', '5'],
    ['5,5 mm', 'mm', '5.5'],
    ['5m', 'mm', '5000'],
    ['1k', 'mm', '1000000'],
    ['2 ㎜', 'mm', '2'],
    ['5V6', 'mV', '5600'],
    ['10k', 'mV/s', '10000000'],
    ['10 KHz', 'MHz', '0.01'],
    ['5', '%', '5'],
    ['5 %', '%', '5'],
    ['0,5 ％', '%', '0.5'],
    ['5 ‰', '%', '0.5'],
    ['-40', '°C', '-40'],
    ['25 °C', '°C', '25'],
    ['25 ℃', '°C', '25'],
    ['25 ºC', '°C', '25'],
    ['5 m°C', '°C', '0.005'],
    ['0,125', 'mm', '0.125'],
    ['1.000,5', 'mm', '1000.5'],
    ['1,000.5', 'mm', '1000.5'],
    ['1,000,000', 'mm', '1000000'],
    ['1234,567', 'mm', '1234.567'],
  ]
  for (const [value, unit, expected] of cases) assert.equal(convert(value, unit), expected, `${value} in ${unit}`)
  for (const [value, unit] of [
    ['5 MM', 'mm'],
    ['5 %', 'ohm'],
    ['90°', 'mm'],
    ['25°', '°C'],
    ['10 bit', 'V'],
    ['5k', 'mm^2'],
    ['5m', 'min'],
    ['5m', '°C'],
    ['5 m', 'kg'],
    ['10R', 'V'],
    ['5 Q', 'W'],
    ['10⁴', 'mm'],
    ['3½', 'mm'],
    ['1,2,3', 'mm'],
    ['1.2.3', 'mm'],
    ['1,000', 'mm'],
  ] as const)
    assert.throws(() => convert(value, unit), UnitError, `${value} in ${unit}`)
  assert.throws(() => convert('1,234 kg', 'kg'), {
    message: '1,234 is ambiguous: write a decimal point, or remove the comma',
  })
})

test('temperatures are converted with their zero points', () => {
  const cases: [string, string, string][] = [
    ['3.3°F', '°C', '-15.944'],
    ['273°K', '°F', '31.730'],
    ['900', '°C', '900.000'],
    ['900°F', 'degF', '900.000'],
    ['900°K', '°C', '626.850'],
    ['-100 Celsius', 'fahrenheit', '-148.000'],
    ['-123.45 fahrenheit', 'kelvin', '186.789'],
    ['5 W/°C', 'W/K', '5.000'],
  ]
  for (const [value, unit, expected] of cases) assert.equal(toExact(convert(value, unit)).toFixed(3), expected, value)
})

test('convertToUnit rejects unreadable values', () => {
  const cases: [string, string][] = [
    ['3', '10'],
    ['13', '-?-'],
    ['-3', 'xyz'],
    ['-12', '-12'],
    ['1/0', 'm'],
    ['-x', 'meter'],
    ['12B45C', 'meter'],
    ['12B45C', ''],
    ['Changed', 'mm'],
    ['5 kg', 'm'],
    ['5 m', ''],
    ['1 2', ''],
    ['3 1/2 2 m', 'm'],
    ['5 MM', 'm'],
    ['', 'm'],
    ['1e999', 'm'],
    ['(((', 'm'],
    ['5 m)', 'm'],
    ['m^999', 'm'],
    ['10^20 m^20', 'm'],
    ['process.exit()', 'm'],
    ['constructor', ''],
    ['9'.repeat(10_000_000), 'm'],
    [`${'('.repeat(400)}1`, 'm'],
  ]
  for (const [value, unit] of cases) assert.throws(() => convert(value, unit), UnitError, value.slice(0, 50))
  assert.throws(() => convert('5 kg', 'm'), { message: 'Could not convert 5 kg to m' })
})

test('isKnownUnit distinguishes units from other strings', () => {
  for (const unit of [
    ...names,
    'kilometers',
    'millimeter',
    'ohms',
    'kohm',
    'MΩ',
    'uF',
    'µF',
    'pF',
    'mH',
    'mV',
    'kW',
    'GHz',
    'm^3',
    'kg*m^2/s',
    '1/s',
    'm2',
    'kR',
    'uu',
    'pk',
  ]) {
    assert.ok(isKnownUnit(unit, registry), unit)
  }
  for (const unit of ['', '10', '5 m', 'xyz', 'KM', 'KHZ', 'Meter', '-m', 'm/', '1', 'm m)', 'box']) {
    assert.ok(!isKnownUnit(unit, registry), unit)
  }
  assert.equal(areCompatible('inch', 'km', registry), true)
  assert.equal(areCompatible('inch', 'kg', registry), false)
  assert.equal(new Set(names).size, names.length, 'no name is in the table twice')
})

test('checkCustomUnit accepts valid custom units and rejects invalid ones', () => {
  assert.deepEqual(checkCustomUnit({ name: 'spool', symbol: 'sp', definition: '660 * ft' }, custom), {})
  assert.deepEqual(checkCustomUnit({ name: 'spool', symbol: null, definition: '3 * R' }, custom), {})
  assert.ok(checkCustomUnit({ name: 'two words', symbol: '', definition: '2 * m' }, []).name)
  assert.ok(checkCustomUnit({ name: 'meter', symbol: '', definition: '2 * inch' }, []).name)
  // names of rare units may be used for custom units
  const bag = { name: 'bag', symbol: 'u', definition: '25 kg' }
  assert.deepEqual(checkCustomUnit(bag, []), {})
  assert.ok(checkCustomUnit(bag, [{ name: 'bag', symbol: '', definition: 'kg' }]).name)
  assert.equal(convertToUnit('2 bags', 'kg', buildUnitRegistry([bag]).registry), '50')
  assert.ok(checkCustomUnit({ name: 'spool', symbol: 'a b', definition: '2 * m' }, []).symbol)
  assert.deepEqual(checkCustomUnit({ name: 'spool', symbol: 'hpmm', definition: 'm' }, custom), {
    symbol: [unitErrors.unit_symbol_taken],
  })
  for (const definition of ['blorp * 2', '', '0', '-3 m', '3 *', 'spool', '1/0']) {
    assert.ok(checkCustomUnit({ name: 'spool', symbol: '', definition }, []).definition, definition)
  }
})

test('custom units may be defined by each other, and unreadable ones are left out', () => {
  const units = [
    { name: 'crate', symbol: 'cr', definition: '4 * carton' },
    { name: 'carton', symbol: '', definition: '6 * dozen' },
    { name: 'one', symbol: '', definition: '2 * other' },
    { name: 'other', symbol: '', definition: '2 * one' },
  ]
  const built = buildUnitRegistry(units)
  assert.equal(convertToUnit('2 crates', '', built.registry), '576')
  assert.equal(convertToUnit('1 cr', 'dozen', built.registry), '24')
  assert.deepEqual(built.unreadable, units.slice(2))
})

const number = fc.tuple(fc.integer(), fc.integer({ min: -6, max: 6 })).map(([digits, power]) => `${digits}e${power}`)

test('property: converting to another unit and back gives the same value', () => {
  const words = names.filter((name) => /^\p{L}/u.test(name))
  const unit = fc.tuple(fc.constantFrom('', 'k', 'm', 'µ', 'mega'), fc.constantFrom(...words)).map((parts) => parts.join(''))
  const pair = fc.tuple(unit, unit).filter(([fromUnit, toUnit]) => areCompatible(fromUnit, toUnit, registry))
  fc.assert(
    fc.property(number, pair, (value, [fromUnit, toUnit]) => {
      const converted = convert(`${value} ${fromUnit}`, toUnit)
      const convertedBack = toExact(convert(`${converted} ${toUnit}`, fromUnit))
      assert.ok(
        convertedBack.minus(value).abs().lte(toExact(value).abs().plus(1e9).times('1e-18')),
        `${value} ${fromUnit} = ${converted} ${toUnit} = ${convertedBack} ${fromUnit}`,
      )
    }),
    { numRuns: 500 },
  )
})

test('property: converting a value to its own unit gives the same value', () => {
  fc.assert(
    fc.property(number, fc.constantFrom(...names, 'kohm', 'm/s^2', 'nF'), (value, unit) => {
      const expected = toExact(value).toFixed()
      assert.equal(convert(`${value} ${unit}`, unit), expected)
      assert.equal(convert(expected, unit), expected)
    }),
  )
})

test('property: any string is either converted or rejected with a UnitError', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9kmRµ%'"()*/^.e -]{0,20}$/))
  fc.assert(
    fc.property(text, fc.oneof(text, fc.constantFrom('m', '', 'ohm')), (value, unit) => {
      isKnownUnit(value, registry)
      try {
        assert.match(convert(value, unit), /^-?[0-9]+(\.[0-9]+)?$/)
      } catch (error) {
        assert.ok(error instanceof UnitError, String(error))
      }
    }),
    { numRuns: 1000 },
  )
})
