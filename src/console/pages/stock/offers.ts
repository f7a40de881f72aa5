import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import type { LoadedObject } from '../../kit/service/saves.ts'
import { may } from '../../kit/service/session.ts'
import { isHere, isInStock, type StockItem } from './stock-details.tsx'

/** An action on a stock item. */
export type StockAction =
  | 'move'
  | 'count'
  | 'add'
  | 'remove'
  | 'split'
  | 'status'
  | 'serialize'
  | 'merge'
  | 'install'
  | 'take-out'
  | 'uninstall'
  | 'assign'
  | 'return'
  | 'convert'
  | 'link'
  | 'unlink'
  | 'labels'

/** The data of an item on its own page, besides the item. */
export type ItemContext = {
  /** Whether there is a part it can be converted to. */
  isConvertible: boolean
  /** The items installed in it. */
  installed: readonly StockItem[]
  /** The version of the item as loaded. */
  seen: LoadedObject
}

type Offer = {
  action: StockAction
  title: PlainKey
  keys: string
  icon: IconName
  /** Whether the action applies to the item. @param context given only on the page of the item */
  isFor: (item: StockItem, context?: ItemContext) => boolean
  /** Whether the account may perform it, and view the data it asks for. */
  isAllowed: () => boolean
  /** Whether it can be applied to several items at once. */
  isForMany?: boolean
}

/** Whether it has no serial number, so that its quantity can change. */
const isUnserialized = (item: StockItem): boolean => !item.serial && isHere(item)

const mayAct = () => may('add', 'stock')
const mayPlace = () => mayAct() && may('view', 'stock_location')
const maySell = () => mayAct() && may('view', 'purchase_order', 'sales_order', 'return_order')

/** All actions, with their keys, most frequent first. A key with Shift reverses the action of the key without it. */
export const OFFERS: readonly Offer[] = [
  { action: 'move', title: 'stock.move', keys: 'm', icon: 'move', isFor: isHere, isAllowed: mayPlace, isForMany: true },
  { action: 'count', title: 'stock.count', keys: 'c', icon: 'count', isFor: isUnserialized, isAllowed: mayAct, isForMany: true },
  { action: 'add', title: 'stock.add', keys: 'a', icon: 'plus', isFor: isUnserialized, isAllowed: mayAct, isForMany: true },
  {
    action: 'remove',
    title: 'stock.remove',
    keys: 'r',
    icon: 'minus',
    isFor: (item) => isUnserialized(item) && item.quantity > 0,
    isAllowed: mayAct,
    isForMany: true,
  },
  {
    action: 'uninstall',
    title: 'stock.uninstall',
    // for "free"; `u` undoes the latest action
    keys: 'f',
    icon: 'undo',
    isFor: ({ belongs_to }) => belongs_to !== null,
    isAllowed: mayPlace,
  },
  {
    action: 'return',
    title: 'stock.return',
    keys: 'Shift+W',
    icon: 'undo',
    isFor: ({ customer, sales_order, belongs_to }) => (customer !== null || sales_order !== null) && belongs_to === null,
    isAllowed: mayPlace,
  },
  {
    action: 'split',
    title: 'stock.split',
    keys: 'x',
    icon: 'split',
    isFor: (item) => isUnserialized(item) && item.quantity > 0,
    isAllowed: mayPlace,
  },
  {
    action: 'status',
    title: 'stock.status',
    keys: 's',
    icon: 'check',
    isFor: () => true,
    isAllowed: mayAct,
    isForMany: true,
  },
  {
    action: 'merge',
    title: 'stock.merge',
    keys: 'j',
    icon: 'merge',
    isFor: isUnserialized,
    isAllowed: mayPlace,
    isForMany: true,
  },
  {
    action: 'serialize',
    title: 'stock.serialize',
    keys: 'b',
    icon: 'key',
    isFor: (item) => isUnserialized(item) && item.quantity >= 1 && item.part_detail?.trackable === true,
    isAllowed: mayPlace,
  },
  {
    action: 'install',
    title: 'stock.install',
    keys: 'i',
    icon: 'receive',
    isFor: (item) => isHere(item) && (item.part_detail?.assembly === true || item.installed_items > 0),
    isAllowed: mayAct,
  },
  {
    action: 'take-out',
    title: 'stock.take-out',
    keys: 'Shift+I',
    icon: 'send',
    isFor: ({ installed_items }) => installed_items > 0,
    isAllowed: mayPlace,
  },
  {
    action: 'assign',
    title: 'stock.assign',
    keys: 'w',
    icon: 'truck',
    isFor: (item) => isInStock(item) && item.part_detail?.salable === true,
    isAllowed: maySell,
    isForMany: true,
  },
  {
    action: 'convert',
    title: 'stock.convert',
    keys: 'v',
    icon: 'wrench',
    isFor: (item, context) => context?.isConvertible === true && item.supplier_part === null,
    isAllowed: () => mayAct() && may('view', 'part'),
  },
  {
    action: 'labels',
    title: 'labels.title',
    keys: 'p',
    icon: 'print',
    isFor: () => true,
    isAllowed: () => may('view', 'stock'),
    isForMany: true,
  },
  {
    action: 'link',
    title: 'stock.link-code',
    keys: 'l',
    icon: 'link',
    isFor: () => true,
    isAllowed: () => may('change', 'stock'),
  },
  {
    action: 'unlink',
    title: 'stock.unlink-code',
    keys: 'Shift+L',
    icon: 'close',
    isFor: ({ barcode_hash }) => barcode_hash !== '',
    isAllowed: () => may('change', 'stock'),
  },
]

export const titleOfAction = (action: StockAction): PlainKey =>
  OFFERS.find((offer) => offer.action === action)?.title ?? 'stock.title'
