/** Pairs of related parts, by IPN. */
export const relatedParts = [
  ['V-AA', 'J-BATT'],
  ['K-CREAM', 'K-RUST'],
  ['H-WALNUT', 'H-OAK'],
] as const

/** The tests of each instrument and board, by IPN. */
export const testTemplates = [
  { part: 'WREN', test_name: 'Firmware', description: 'Version shown at power-on' },
  { part: 'WREN', test_name: 'Loudness', description: 'Sound level at 1 kHz, in dB', requires_value: true },
  { part: 'A-WREN', test_name: 'Current', description: 'Idle current, in mA', requires_value: true },
]

/** Test results, by part and serial number. */
export const testResults = [
  { part: 'WREN-W', serial: '1', test: 'Firmware', result: true, value: '2.4.1' },
  { part: 'WREN-W', serial: '1', test: 'Loudness', result: false, value: '71', notes: 'Speaker buzzes' },
  { part: 'WREN-W', serial: '1', test: 'Loudness', result: true, value: '92', notes: 'After replacing the speaker' },
  { part: 'WREN-W', serial: '2', test: 'Firmware', result: true, value: '2.4.1' },
  { part: 'WREN-W', serial: '2', test: 'Loudness', result: true, value: '91' },
  { part: 'WREN-O', serial: '10', test: 'Firmware', result: true, value: '2.4.0' },
]

/** Stocktakes of some parts, soon after the opening day. */
export const stocktakes = [
  { part: 'V-AA', quantity: 60, cost_min: '21', cost_max: '21', cost_min_currency: 'EUR', cost_max_currency: 'EUR' },
  { part: 'M-INS', quantity: 370, item_count: 2, note: 'Includes stock at the joinery' },
]

type Prices = Record<string, Record<number, string>>

/** Unit prices in EUR, by minimum quantity. */
export const internalPrices: Prices = { 'A-WREN': { 1: '38', 50: '35' }, 'A-ROBIN': { 1: '61' } }
export const salePrices: Prices = { 'WREN-W': { 1: '249', 10: '229' }, 'WREN-O': { 1: '249' }, ROBIN: { 1: '399' } }
