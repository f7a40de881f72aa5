import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import type { LoadedObject } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'
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

/** The data on the page of an item, in addition to the item itself. */
export type ItemContext = {
  /** Whether there is a part it can be converted to. */
  isConvertible: boolean
  /** The items installed in it. */
  installed: readonly StockItem[]
  /** The version of the item as loaded. */
  loaded: LoadedObject
}

type StockActionDefinition = {
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

const canEditStock = () => hasPermission('add', 'stock')
const canMoveStock = () => canEditStock() && hasPermission('view', 'stock_location')
const canAssignStock = () => canEditStock() && hasPermission('view', 'purchase_order', 'sales_order', 'return_order')

/** All actions, with their keys, most frequent first. A key with Shift reverses the action of the key without it. */
export const STOCK_ACTIONS: readonly StockActionDefinition[] = [
  { action: 'move', title: 'stock.move', keys: 'm', icon: 'move', isFor: isHere, isAllowed: canMoveStock, isForMany: true },
  {
    action: 'count',
    title: 'stock.count',
    keys: 'c',
    icon: 'count',
    isFor: isUnserialized,
    isAllowed: canEditStock,
    isForMany: true,
  },
  { action: 'add', title: 'stock.add', keys: 'a', icon: 'plus', isFor: isUnserialized, isAllowed: canEditStock, isForMany: true },
  {
    action: 'remove',
    title: 'stock.remove',
    keys: 'r',
    icon: 'minus',
    isFor: (item) => isUnserialized(item) && item.quantity > 0,
    isAllowed: canEditStock,
    isForMany: true,
  },
  {
    action: 'uninstall',
    title: 'stock.uninstall',
    // for "free"; `u` undoes the latest action
    keys: 'f',
    icon: 'undo',
    isFor: ({ belongs_to }) => belongs_to !== null,
    isAllowed: canMoveStock,
  },
  {
    action: 'return',
    title: 'stock.return',
    keys: 'Shift+W',
    icon: 'undo',
    isFor: ({ customer, sales_order, belongs_to }) => (customer !== null || sales_order !== null) && belongs_to === null,
    isAllowed: canMoveStock,
  },
  {
    action: 'split',
    title: 'stock.split',
    keys: 'x',
    icon: 'split',
    isFor: (item) => isUnserialized(item) && item.quantity > 0,
    isAllowed: canMoveStock,
  },
  {
    action: 'status',
    title: 'stock.status',
    keys: 's',
    icon: 'check',
    isFor: () => true,
    isAllowed: canEditStock,
    isForMany: true,
  },
  {
    action: 'merge',
    title: 'stock.merge',
    keys: 'j',
    icon: 'merge',
    isFor: isUnserialized,
    isAllowed: canMoveStock,
    isForMany: true,
  },
  {
    action: 'serialize',
    title: 'stock.serialize',
    keys: 'b',
    icon: 'key',
    isFor: (item) => isUnserialized(item) && item.quantity >= 1 && item.part_detail?.trackable === true,
    isAllowed: canMoveStock,
  },
  {
    action: 'install',
    title: 'stock.install',
    keys: 'i',
    icon: 'receive',
    isFor: (item) => isHere(item) && (item.part_detail?.assembly === true || item.installed_items > 0),
    isAllowed: canEditStock,
  },
  {
    action: 'take-out',
    title: 'stock.uninstall-component',
    keys: 'Shift+I',
    icon: 'send',
    isFor: ({ installed_items }) => installed_items > 0,
    isAllowed: canMoveStock,
  },
  {
    action: 'assign',
    title: 'stock.assign',
    keys: 'w',
    icon: 'truck',
    isFor: (item) => isInStock(item) && item.part_detail?.salable === true,
    isAllowed: canAssignStock,
    isForMany: true,
  },
  {
    action: 'convert',
    title: 'stock.convert',
    keys: 'v',
    icon: 'wrench',
    isFor: (item, context) => context?.isConvertible === true && item.supplier_part === null,
    isAllowed: () => canEditStock() && hasPermission('view', 'part'),
  },
  {
    action: 'labels',
    title: 'labels.title',
    keys: 'p',
    icon: 'print',
    isFor: () => true,
    isAllowed: () => hasPermission('view', 'stock'),
    isForMany: true,
  },
  {
    action: 'link',
    title: 'stock.link-code',
    keys: 'l',
    icon: 'link',
    isFor: () => true,
    isAllowed: () => hasPermission('change', 'stock'),
  },
  {
    action: 'unlink',
    title: 'stock.unlink-code',
    keys: 'Shift+L',
    icon: 'close',
    isFor: ({ barcode_hash }) => barcode_hash !== '',
    isAllowed: () => hasPermission('change', 'stock'),
  },
]

export const getActionTitle = (action: StockAction): PlainKey =>
  STOCK_ACTIONS.find((offer) => offer.action === action)?.title ?? 'stock.title'
