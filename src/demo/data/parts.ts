export type DemoPart = {
  /** Internal part number, which the other data reference. */
  IPN: string
  name: string
  description: string
  category: string
  /** Unit of the part; pieces by default. */
  units?: string
  minimum_stock?: number
  keywords?: string
  revision?: string
  /** Shelf life of new stock, in days. */
  default_expiry?: number
  /** Whether each unit has a serial number. */
  trackable?: boolean
  assembly?: boolean
  salable?: boolean
  purchaseable?: boolean
  component?: boolean
  virtual?: boolean
  is_template?: boolean
  /** IPN of its template. */
  variant_of?: string
  inactive?: boolean
  /** Whether the owner of the workshop is notified of low stock. */
  followed?: boolean
  default_location?: string
  responsible?: string
  tags?: string[]
  notes?: string
}

const resistor = { category: 'Resistors', tags: ['smd'] }
const capacitor = { category: 'Capacitors', tags: ['smd'] }
const instrument = {
  category: 'Instruments',
  trackable: true,
  assembly: true,
  salable: true,
  purchaseable: false,
  component: false,
}

/** Parts, templates before their variants. */
export const parts: DemoPart[] = [
  { IPN: 'R-470', name: 'Resistor 470 Ω', description: 'Chip resistor 0603, 1 %, 100 mW', minimum_stock: 1000, ...resistor },
  { IPN: 'R-10K', name: 'Resistor 10 kΩ', description: 'Chip resistor 0603, 1 %, 100 mW', minimum_stock: 2000, ...resistor },
  { IPN: 'R-100K', name: 'Resistor 100 kΩ', description: 'Chip resistor 0603, 1 %, 100 mW', minimum_stock: 1000, ...resistor },
  { IPN: 'C-100N', name: 'Capacitor 100 nF', description: 'Ceramic 0603, X7R, 50 V', minimum_stock: 2000, ...capacitor },
  { IPN: 'C-10U', name: 'Capacitor 10 µF', description: 'Ceramic 0805, X5R, 25 V', minimum_stock: 1000, ...capacitor },
  {
    IPN: 'C-220U',
    name: 'Capacitor 220 µF',
    description: 'Electrolytic, 16 V, 105 °C, radial 6.3 x 11 mm',
    category: 'Capacitors',
    minimum_stock: 100,
  },
  {
    IPN: 'U-MCU',
    name: 'Microcontroller NK32',
    description: '32 bit, 168 MHz, 512 kB flash, 64 pins',
    category: 'Integrated circuits',
    minimum_stock: 40,
    keywords: 'MCU processor',
    tags: ['smd', 'critical'],
    responsible: 'buyer',
    notes: 'Lead times went up to **30 weeks** once. Keep enough for two batches.',
  },
  {
    IPN: 'U-DAC',
    name: 'Audio converter NK4204',
    description: '24 bit, 2 channels, 96 kHz',
    category: 'Integrated circuits',
    minimum_stock: 40,
    keywords: 'DAC codec',
    tags: ['smd', 'critical'],
  },
  {
    IPN: 'U-AMP',
    name: 'Loudspeaker amplifier NK83',
    description: 'Class D, 3 W into 4 Ω',
    category: 'Integrated circuits',
    minimum_stock: 40,
    tags: ['smd'],
  },
  {
    IPN: 'U-REG',
    name: 'Voltage regulator 3.3 V',
    description: '500 mA, low drop-out, SOT-223',
    category: 'Integrated circuits',
    minimum_stock: 60,
    keywords: 'LDO',
    tags: ['smd'],
  },
  {
    IPN: 'D-WARM',
    name: 'LED warm white',
    description: '0603, 2700 K, for the key lights',
    category: 'Light-emitting diodes',
    minimum_stock: 800,
    tags: ['smd'],
  },
  {
    IPN: 'D-RGB',
    name: 'LED RGB, addressable',
    followed: true,
    description: '3.5 x 3.5 mm, 5 V, one wire',
    category: 'Light-emitting diodes',
    minimum_stock: 200,
    tags: ['smd'],
  },
  {
    IPN: 'J-35',
    name: 'Stereo socket 3.5 mm',
    description: 'Board mount, with switch',
    category: 'Connectors',
    minimum_stock: 100,
  },
  {
    IPN: 'J-35-OLD',
    name: 'Stereo socket 3.5 mm, panel mount',
    description: 'Replaced by J-35 from revision B of the board on',
    category: 'Connectors',
    inactive: true,
  },
  {
    IPN: 'J-USB',
    name: 'USB-C socket',
    description: '16 pins, board mount',
    category: 'Connectors',
    minimum_stock: 50,
    followed: true,
  },
  {
    IPN: 'J-BATT',
    name: 'Battery clip for 2 x AA',
    description: 'Pair of contacts with springs',
    category: 'Connectors',
    minimum_stock: 50,
  },
  {
    IPN: 'P-10K',
    name: 'Potentiometer 10 kΩ',
    description: 'Linear, 9 mm, D shaft',
    category: 'Controls',
    minimum_stock: 200,
    keywords: 'pot',
  },
  {
    IPN: 'S-KEY',
    name: 'Key switch, silent',
    description: '6 x 6 mm, 160 gf',
    category: 'Controls',
    minimum_stock: 600,
    keywords: 'button tact',
  },
  {
    IPN: 'S-SLIDE',
    name: 'Slide switch',
    description: 'On-on, board mount',
    category: 'Controls',
    minimum_stock: 60,
    followed: true,
  },
  {
    IPN: 'X-OLED',
    name: 'Display 1.3 inch',
    description: 'OLED, 128 x 64, white, I2C',
    category: 'Displays and loudspeakers',
    minimum_stock: 30,
  },
  {
    IPN: 'X-SPK',
    name: 'Loudspeaker 28 mm',
    description: '8 Ω, 2 W, paper cone',
    category: 'Displays and loudspeakers',
    minimum_stock: 30,
  },
  {
    IPN: 'B-WREN',
    name: 'Wren main board, bare',
    description: '4 layers, 1.6 mm, black mask, gold',
    category: 'Circuit boards',
    revision: 'C',
    minimum_stock: 10,
  },
  {
    IPN: 'A-WREN',
    name: 'Wren main board, assembled',
    description: 'All parts but controls and display',
    category: 'Circuit boards',
    revision: 'C',
    minimum_stock: 10,
    trackable: true,
    assembly: true,
    responsible: 'Purchasing',
    notes: 'The serial number is engraved beside the USB socket.',
  },
  {
    IPN: 'A-ROBIN',
    name: 'Robin main board, assembled',
    description: 'First prototypes',
    category: 'Circuit boards',
    revision: 'A',
    trackable: true,
    assembly: true,
  },
  {
    IPN: 'V-AA',
    name: 'Battery AA',
    followed: true,
    description: 'Alkaline, 1.5 V',
    category: 'Power',
    minimum_stock: 80,
    default_expiry: 1825,
    keywords: 'cell mignon',
  },
  {
    IPN: 'W-RED',
    name: 'Hook-up wire, red',
    description: '0.25 mm², stranded',
    category: 'Wire and cable',
    units: 'm',
    minimum_stock: 50,
  },
  {
    IPN: 'W-BLK',
    name: 'Hook-up wire, black',
    description: '0.25 mm², stranded',
    category: 'Wire and cable',
    units: 'm',
    minimum_stock: 50,
  },
  {
    IPN: 'W-AUDIO',
    name: 'Audio cable',
    description: '2 x 0.22 mm², screened, woven jacket',
    category: 'Wire and cable',
    units: 'm',
    minimum_stock: 25,
  },
  { IPN: 'M-M3X8', name: 'Screw M3 x 8', description: 'Pan head, black, Torx 10', category: 'Fasteners', minimum_stock: 500 },
  {
    IPN: 'M-INS',
    name: 'Threaded insert M3',
    description: 'Brass, 5.7 mm, for wood',
    category: 'Fasteners',
    minimum_stock: 1000,
  },
  { IPN: 'M-FOOT', name: 'Rubber foot 8 mm', description: 'Self-adhesive, clear', category: 'Fasteners', minimum_stock: 200 },
  { IPN: 'K-CREAM', name: 'Knob, cream', description: '12 mm, with line', category: 'Knobs', minimum_stock: 150 },
  { IPN: 'K-RUST', name: 'Knob, rust red', description: '12 mm, with line', category: 'Knobs', minimum_stock: 250 },
  { IPN: 'H-WALNUT', name: 'Wren case, walnut', description: 'Oiled, with inserts fitted', category: 'Cases', minimum_stock: 12 },
  { IPN: 'H-OAK', name: 'Wren case, oak', description: 'Soaped, with inserts fitted', category: 'Cases', minimum_stock: 12 },
  {
    IPN: 'H-PANEL',
    name: 'Wren front panel',
    description: 'Aluminium 1.5 mm, anodised, printed',
    category: 'Cases',
    minimum_stock: 20,
  },
  {
    IPN: 'Z-PASTE',
    name: 'Solder paste, lead-free',
    description: 'Type 4, no-clean; keep cool',
    category: 'Consumables',
    units: 'g',
    minimum_stock: 250,
    default_expiry: 180,
  },
  {
    IPN: 'Z-GLUE',
    name: 'Wood glue',
    description: 'Waterproof, D3',
    category: 'Consumables',
    units: 'ml',
    minimum_stock: 200,
    default_expiry: 365,
  },
  {
    IPN: 'O-BOX',
    name: 'Wren box',
    description: 'Printed, with inlay of moulded pulp',
    category: 'Packaging',
    minimum_stock: 40,
  },
  { IPN: 'O-LABEL', name: 'Shipping label', description: '100 x 150 mm, on rolls', category: 'Packaging', minimum_stock: 200 },
  {
    IPN: 'WREN',
    name: 'Wren pocket synthesizer',
    description: '16 keys, 6 knobs, 4 voices, 3 hours of birdsong in the demo mode',
    is_template: true,
    minimum_stock: 10,
    ...instrument,
  },
  {
    IPN: 'WREN-W',
    name: 'Wren pocket synthesizer, walnut',
    description: 'Cream knobs',
    variant_of: 'WREN',
    ...instrument,
  },
  { IPN: 'WREN-O', name: 'Wren pocket synthesizer, oak', description: 'Rust red knobs', variant_of: 'WREN', ...instrument },
  {
    IPN: 'ROBIN',
    name: 'Robin drum machine',
    description: 'Prototypes: 8 pads, 12 sounds, no case yet',
    revision: 'A',
    ...instrument,
  },
  {
    IPN: 'F-WREN',
    name: 'Wren firmware',
    description: 'What the board is loaded with before the test',
    category: 'Instruments',
    revision: '2.1',
    virtual: true,
    purchaseable: false,
  },
]
