/** Parameters of parts. */
export const parameterTemplates = [
  { name: 'Resistance', units: 'ohm', description: 'At 25 °C' },
  { name: 'Capacitance', units: 'F', description: 'At 1 kHz' },
  { name: 'Tolerance', units: '%', description: 'Plus or minus' },
  { name: 'Package', description: 'Component package', choices: '0603, 0805, radial, LQFP-48, SOIC-16' },
  { name: 'Polarised', description: 'Has a positive and a negative terminal', checkbox: true },
  { name: 'Colour', description: 'Surface colour' },
  { name: 'Rated voltage', units: 'V', description: 'Maximum voltage' },
]

/** The parameter values of each part, by IPN and the names of the templates. */
export const parameters: Record<string, Record<string, string>> = {
  'R-470': { Resistance: '470', Tolerance: '1 %', Package: '0603' },
  'R-10K': { Resistance: '10k', Tolerance: '1 %', Package: '0603' },
  'R-100K': { Resistance: '100 kohm', Tolerance: '1 %', Package: '0603' },
  'C-100N': { Capacitance: '100n', 'Rated voltage': '50 V', Package: '0603', Polarised: 'false' },
  'C-10U': { Capacitance: '10u', 'Rated voltage': '25 V', Package: '0805', Polarised: 'false' },
  'C-220U': { Capacitance: '220 uF', 'Rated voltage': '16 V', Package: 'radial', Polarised: 'true' },
  'P-10K': { Resistance: '10k', Tolerance: '20 %' },
  'K-CREAM': { Colour: 'cream' },
  'K-RUST': { Colour: 'rust red' },
}

/** Parameters that new parts of a category get. */
export const categoryParameters = [
  { category: 'Resistors', template: 'Tolerance', default_value: '1 %' },
  { category: 'Resistors', template: 'Resistance', default_value: '' },
  { category: 'Capacitors', template: 'Capacitance', default_value: '' },
]

/** Selection lists, with their entries. */
export const selectionLists = [
  {
    name: 'Case finishes',
    description: 'Finishes of printed and milled cases',
    entries: [
      { value: 'raw', label: 'Raw' },
      { value: 'ano', label: 'Anodised', description: 'Clear' },
      { value: 'pow', label: 'Powder coated', description: 'RAL 9005' },
    ],
  },
  {
    name: 'Knob colours',
    description: 'Available knob colours',
    entries: [
      { value: 'cream', label: 'Cream' },
      { value: 'rust', label: 'Rust red' },
    ],
  },
]
