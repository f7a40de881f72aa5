import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { setting } from '../../../settings/live.ts'

/** Global settings are for staff; those that web interfaces depend on are for all of their users. */
export const webSettings = view({
  path: '/api/web/settings/',
  summary: 'Get the settings for web clients',
  description: 'The global settings that affect web clients, under their keys, for all accounts.',
  access: signedIn,
  response: Type.Object({
    BARCODE_ENABLE: Type.Boolean({ description: 'Clients offer barcode scanning.' }),
    BARCODE_WEBCAM_SUPPORT: Type.Boolean({ description: 'Clients offer scanning with a camera.' }),
    BARCODE_INPUT_DELAY: Type.Integer({ description: 'The number of milliseconds to wait for more input of a scanner.' }),
    STOCK_ENABLE_EXPIRY: Type.Boolean({
      description: 'Whether to show expiry dates, and filters for expired and stale stock.',
    }),
    STOCK_ALLOW_EXPIRED_SALE: Type.Boolean({ description: 'Clients allow selling expired stock.' }),
    STOCK_ALLOW_EXPIRED_BUILD: Type.Boolean({ description: 'Clients allow using expired stock in builds.' }),
    PART_ENABLE_REVISION: Type.Boolean({ description: 'Clients show and edit the revision of a part.' }),
    INVENTREE_INSTANCE_TITLE: Type.Boolean({
      description: 'Clients show the name of the installation in the title bar.',
    }),
    TEST_STATION_DATA: Type.Boolean({
      description: 'Whether to ask for the station, start and end of a test.',
    }),
    PURCHASEORDER_EDIT_COMPLETED_ORDERS: Type.Boolean({
      description: 'Clients allow editing completed purchase orders.',
    }),
    RETURNORDER_EDIT_COMPLETED_ORDERS: Type.Boolean({
      description: 'Clients allow editing completed return orders.',
    }),
    SALESORDER_EDIT_COMPLETED_ORDERS: Type.Boolean({
      description: 'Clients allow editing completed sales orders.',
    }),
  }),
  read: (services) => ({
    BARCODE_ENABLE: setting(services, 'BARCODE_ENABLE'),
    BARCODE_WEBCAM_SUPPORT: setting(services, 'BARCODE_WEBCAM_SUPPORT'),
    BARCODE_INPUT_DELAY: setting(services, 'BARCODE_INPUT_DELAY'),
    STOCK_ENABLE_EXPIRY: setting(services, 'STOCK_ENABLE_EXPIRY'),
    STOCK_ALLOW_EXPIRED_SALE: setting(services, 'STOCK_ALLOW_EXPIRED_SALE'),
    STOCK_ALLOW_EXPIRED_BUILD: setting(services, 'STOCK_ALLOW_EXPIRED_BUILD'),
    PART_ENABLE_REVISION: setting(services, 'PART_ENABLE_REVISION'),
    INVENTREE_INSTANCE_TITLE: setting(services, 'INVENTREE_INSTANCE_TITLE'),
    TEST_STATION_DATA: setting(services, 'TEST_STATION_DATA'),
    PURCHASEORDER_EDIT_COMPLETED_ORDERS: setting(services, 'PURCHASEORDER_EDIT_COMPLETED_ORDERS'),
    RETURNORDER_EDIT_COMPLETED_ORDERS: setting(services, 'RETURNORDER_EDIT_COMPLETED_ORDERS'),
    SALESORDER_EDIT_COMPLETED_ORDERS: setting(services, 'SALESORDER_EDIT_COMPLETED_ORDERS'),
  }),
})
