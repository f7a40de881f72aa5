import { STOCK_STATUS } from '../../resources/stock/stock-status.ts'
import type { Day } from './order.ts'

/** The day on which the workshop started to use the service. */
export const OPENING_DAY: Day = -126

export type DemoStock = {
  /** IPN of the part. */
  part: string
  /** Quantity in the units of the part. */
  quantity: number
  location: string
  batch?: string
  /** Serial numbers, with one item for each. */
  serials?: string
  /** Stock status code; OK by default. */
  status?: number
  expires?: Day
  packaging?: string
  /** Purchase price of one unit, in euros. */
  price?: string
  notes?: string
}

/** Stock on the opening day. */
export const openingStock: DemoStock[] = [
  { part: 'R-470', quantity: 1800, location: 'Drawer R', packaging: 'Reel', price: '0.0023' },
  { part: 'R-10K', quantity: 2450, location: 'Drawer R', packaging: 'Reel', price: '0.0023' },
  { part: 'R-100K', quantity: 900, location: 'Drawer R', packaging: 'Reel', price: '0.0023' },
  { part: 'C-100N', quantity: 3100, location: 'Drawer C', packaging: 'Reel', price: '0.0042' },
  { part: 'C-10U', quantity: 640, location: 'Drawer C', packaging: 'Strip', price: '0.019' },
  { part: 'C-220U', quantity: 85, location: 'Drawer C', price: '0.09' },
  { part: 'U-MCU', quantity: 22, location: 'Drawer U', batch: '2325B', packaging: 'Tray', price: '6.1' },
  { part: 'U-DAC', quantity: 30, location: 'Drawer U', batch: '2320A', price: '3.3' },
  { part: 'U-AMP', quantity: 26, location: 'Drawer U', price: '1.1' },
  { part: 'U-REG', quantity: 70, location: 'Drawer U', price: '0.45' },
  { part: 'D-WARM', quantity: 950, location: 'Drawer D', packaging: 'Reel', price: '0.013' },
  { part: 'D-RGB', quantity: 120, location: 'Drawer D', packaging: 'Strip', price: '0.16' },
  { part: 'J-35', quantity: 64, location: 'Shelf A', price: '0.65' },
  {
    part: 'J-35-OLD',
    quantity: 18,
    location: 'Shelf A',
    status: STOCK_STATUS.ATTENTION.key,
    notes: 'Keep a few for repairs, sell the rest.',
  },
  { part: 'J-USB', quantity: 31, location: 'Shelf A', price: '0.8' },
  { part: 'J-BATT', quantity: 40, location: 'Shelf A', price: '0.95' },
  { part: 'P-10K', quantity: 130, location: 'Shelf A', price: '0.19' },
  { part: 'S-KEY', quantity: 410, location: 'Shelf A', price: '0.06' },
  { part: 'S-SLIDE', quantity: 35, location: 'Shelf A', price: '0.12' },
  { part: 'X-OLED', quantity: 14, location: 'Shelf A', price: '3.1' },
  { part: 'X-SPK', quantity: 22, location: 'Shelf A', price: '0.8' },
  { part: 'V-AA', quantity: 60, location: 'Battery locker', batch: 'LR6-22-11', expires: 420, price: '0.35' },
  { part: 'W-RED', quantity: 38.5, location: 'Cable rack', packaging: 'Spool', price: '0.15' },
  { part: 'W-BLK', quantity: 12.25, location: 'Cable rack', packaging: 'Spool', price: '0.15' },
  { part: 'W-AUDIO', quantity: 18, location: 'Cable rack', price: '1.16' },
  { part: 'M-M3X8', quantity: 730, location: 'Shelf B', price: '0.029' },
  { part: 'M-INS', quantity: 220, location: 'Shelf B', price: '0.11' },
  { part: 'M-INS', quantity: 150, location: 'Joinery Birkholz', price: '0.11' },
  { part: 'M-FOOT', quantity: 150, location: 'Shelf B', price: '0.042' },
  { part: 'K-CREAM', quantity: 90, location: 'Shelf B', price: '0.14' },
  { part: 'K-RUST', quantity: 74, location: 'Shelf B', price: '0.14' },
  { part: 'H-WALNUT', quantity: 3, location: 'Shelf B', price: '34' },
  { part: 'H-OAK', quantity: 5, location: 'Shelf B', price: '30' },
  { part: 'H-PANEL', quantity: 9, location: 'Shelf B', price: '5.6' },
  { part: 'Z-PASTE', quantity: 180, location: 'Fridge', batch: 'P-0311', expires: -12, packaging: 'Jar', price: '0.083' },
  { part: 'Z-GLUE', quantity: 260, location: 'Fridge', batch: 'L7', expires: 20, packaging: 'Bottle', price: '0.0168' },
  { part: 'O-BOX', quantity: 16, location: 'Packing table', price: '1.65' },
  { part: 'O-LABEL', quantity: 340, location: 'Packing table', packaging: 'Roll', price: '0.026' },
  {
    part: 'A-WREN',
    quantity: 2,
    location: 'Test bench',
    batch: 'CC-23-092',
    serials: '29-30',
    status: STOCK_STATUS.QUARANTINED.key,
    notes: 'Output pitch one octave too low.',
  },
  { part: 'WREN-W', quantity: 9, location: 'Finished instruments', batch: 'Batch 1', serials: '1-9' },
  { part: 'WREN-O', quantity: 6, location: 'Finished instruments', batch: 'Batch 1', serials: '10-15' },
  {
    part: 'ROBIN',
    quantity: 2,
    location: 'Test bench',
    serials: 'P1-P2',
    status: STOCK_STATUS.ATTENTION.key,
    notes: 'Prototypes: not for sale.',
  },
]

/** Identifies one stock item: the largest that matches. */
export type DemoItem = { part: string; location?: string; serial?: string; batch?: string }

export type DemoMovement = { day: Day; account?: string; notes?: string } & (
  | { act: 'add' | 'remove' | 'count'; items: (DemoItem & { quantity: number })[] }
  /** The full quantity of an item, unless one is given. */
  | { act: 'move'; to: string; items: (DemoItem & { quantity?: number })[] }
  /** Changes of status or expiry date. */
  | { act: 'mark'; items: DemoItem[]; status?: number; expires?: Day }
)

/** Changes of stock other than receipts. The default account is the storekeeper. */
export const movements: DemoMovement[] = [
  { day: -119, act: 'count', notes: 'Reel short of the labelled quantity', items: [{ part: 'R-10K', quantity: 2390 }] },
  { day: -108, act: 'mark', expires: 68, items: [{ part: 'Z-PASTE', batch: 'P-0587' }] },
  {
    day: -99,
    act: 'remove',
    notes: 'Training day: twelve soldering kits',
    items: [
      { part: 'R-10K', quantity: 96 },
      { part: 'C-100N', quantity: 48 },
      { part: 'C-220U', quantity: 12 },
      { part: 'P-10K', quantity: 24 },
      { part: 'X-SPK', quantity: 12 },
      { part: 'W-RED', quantity: 6.5 },
      { part: 'V-AA', quantity: 24 },
    ],
  },
  {
    day: -86,
    act: 'mark',
    status: STOCK_STATUS.RETURNED.key,
    notes: 'Returned: second key sticks',
    items: [{ part: 'WREN-W', serial: '4' }],
  },
  { day: -86, act: 'move', to: 'Test bench', items: [{ part: 'WREN-W', serial: '4' }] },
  { day: -79, act: 'remove', notes: 'Repair of Wren 4', items: [{ part: 'S-KEY', quantity: 1 }] },
  {
    day: -79,
    act: 'mark',
    status: STOCK_STATUS.REJECTED.key,
    notes: 'Dead rows: credit note requested',
    items: [{ part: 'X-OLED', location: 'Quarantine' }],
  },
  { day: -78, act: 'mark', status: STOCK_STATUS.OK.key, notes: 'Repaired and tested', items: [{ part: 'WREN-W', serial: '4' }] },
  { day: -78, act: 'move', to: 'Finished instruments', items: [{ part: 'WREN-W', serial: '4' }] },
  {
    day: -70,
    act: 'remove',
    notes: 'Boards for repairs',
    items: [{ part: 'Z-PASTE', location: 'Fridge', batch: 'P-0311', quantity: 60 }],
  },
  { day: -55, act: 'mark', expires: 1600, items: [{ part: 'V-AA', batch: 'LR6-24-05' }] },
  {
    day: -41,
    act: 'move',
    to: 'Fair trunk',
    notes: 'Makers fair',
    items: [
      { part: 'WREN-W', serial: '1' },
      { part: 'WREN-W', serial: '2' },
      { part: 'WREN-O', serial: '10' },
    ],
  },
  {
    day: -38,
    act: 'mark',
    status: STOCK_STATUS.DAMAGED.key,
    notes: 'Dropped at the fair',
    items: [{ part: 'WREN-O', serial: '10' }],
  },
  { day: -37, act: 'move', to: 'Quarantine', notes: 'To be repaired', items: [{ part: 'WREN-O', serial: '10' }] },
  {
    day: -36,
    act: 'mark',
    status: STOCK_STATUS.LOST.key,
    notes: 'Missing after the fair',
    items: [{ part: 'WREN-W', serial: '2' }],
  },
  { day: -29, act: 'add', notes: 'Found in the wrong drawer', items: [{ part: 'U-REG', quantity: 12 }] },
  {
    day: -26,
    act: 'count',
    notes: 'Annual stocktake, cable rack',
    items: [
      { part: 'W-RED', quantity: 198.4 },
      { part: 'W-BLK', quantity: 200 },
      { part: 'W-AUDIO', quantity: 47.75 },
    ],
  },
  {
    day: -12,
    act: 'move',
    to: 'Assembly bench',
    notes: 'Kit for ten Wrens, second batch',
    items: [
      { part: 'S-KEY', location: 'Shelf A', quantity: 160 },
      { part: 'P-10K', location: 'Shelf A', quantity: 60 },
      { part: 'X-OLED', location: 'Shelf A', quantity: 10 },
      { part: 'X-SPK', location: 'Shelf A', quantity: 10 },
      { part: 'K-CREAM', location: 'Shelf B', quantity: 60 },
      { part: 'H-PANEL', location: 'Shelf B', quantity: 10 },
      { part: 'H-WALNUT', location: 'Shelf B', quantity: 10 },
      { part: 'M-M3X8', location: 'Shelf B', quantity: 80 },
      ...['31', '32', '33', '34', '35', '36', '37', '38', '39', '40'].map((serial) => ({ part: 'A-WREN', serial })),
    ],
  },
  {
    day: -11,
    act: 'remove',
    notes: 'Used at the assembly bench',
    items: [{ part: 'W-RED', location: 'Cable rack', quantity: 4 }],
  },
  { day: -8, act: 'remove', notes: 'Used for cherry wood sample', items: [{ part: 'Z-GLUE', quantity: 35 }] },
  {
    day: -6,
    account: 'demo',
    act: 'move',
    to: 'Quarantine',
    notes: 'Expired: use the new jar',
    items: [{ part: 'Z-PASTE', batch: 'P-0311' }],
  },
  {
    day: -1,
    act: 'count',
    notes: 'Below minimum stock, see PO-0012',
    items: [{ part: 'V-AA', batch: 'LR6-24-05', quantity: 38 }],
  },
]
