import type { ComponentType } from 'preact'
import { matchPath } from './kit/navigation/router.ts'
import type { PageProperties } from './kit/page/page.tsx'

/** A group of related pages of the console, which are loaded when one of them is first opened. */
export type PageGroup = {
  /** Its pages, by the pattern of their address: `/company/:pk/`. They are those that the API returns as `url` and `web_url`. */
  pages: Record<string, () => Promise<ComponentType<PageProperties>>>
}

/**
 * All features. To add one: its folder in `pages/`, its texts in `languages/en` and `languages/de`, its lines here, and its entry in
 * `navigation.ts` if it has one; others are linked from pages.
 */
export const pageGroups: readonly PageGroup[] = [
  {
    pages: { '/': async () => (await import('./pages/home/home.tsx')).HomePage },
  },
  {
    pages: {
      '/scan/': async () => (await import('./pages/scan/scan.tsx')).ScanPage,
      '/scan/:mode/': async () => (await import('./pages/scan/scan.tsx')).ScanPage,
    },
  },
  {
    pages: { '/calendar/': async () => (await import('./pages/calendar/calendar.tsx')).CalendarPage },
  },
  {
    pages: { '/search/': async () => (await import('./pages/search/search.tsx')).SearchPage },
  },
  {
    pages: { '/notifications/': async () => (await import('./pages/notifications/notifications.tsx')).NotificationsPage },
  },
  {
    pages: {
      '/part/': async () => (await import('./pages/parts/parts.tsx')).PartsPage,
      '/part/:pk/': async () => (await import('./pages/parts/part.tsx')).PartPage,
      '/part/:pk/bom/': async () => (await import('./pages/parts/bom/part-bom.tsx')).PartBomPage,
      '/part/:pk/bom/tree/': async () => (await import('./pages/parts/bom/bom-tree.tsx')).BomTreePage,
      '/part/:pk/bom/cost/': async () => (await import('./pages/parts/bom/bom-cost.tsx')).BomCostPage,
      '/part/:pk/bom/compare/': async () => (await import('./pages/parts/bom/bom-compare.tsx')).BomComparePage,
      '/part/:pk/used-in/tree/': async () => (await import('./pages/parts/bom/uses-tree.tsx')).UsesTreePage,
      '/part/:pk/used-in/': async () => (await import('./pages/parts/bom/part-uses.tsx')).PartUsesPage,
      '/part/:pk/variants/': async () => (await import('./pages/parts/part-variants.tsx')).PartVariantsPage,
      '/part/:pk/prices/': async () => (await import('./pages/parts/part-prices.tsx')).PartPricesPage,
      '/supplier-part/:pk/': async () => (await import('./pages/companies/supplier-part.tsx')).SupplierPartPage,
      '/manufacturer-part/:pk/': async () => (await import('./pages/companies/manufacturer-part.tsx')).ManufacturerPartPage,
      '/part/category/:pk/': async () => (await import('./pages/parts/category/category.tsx')).CategoryPage,
    },
  },
  {
    pages: {
      '/stock/': async () => (await import('./pages/stock/stock.tsx')).Stock,
      '/stock/item/:pk/': async () => (await import('./pages/stock/stock-item.tsx')).StockItemPage,
    },
  },
  {
    pages: {
      '/stock/location/': async () => (await import('./pages/locations/locations.tsx')).LocationsPage,
      '/stock/location/:pk/': async () => (await import('./pages/locations/location.tsx')).LocationPage,
    },
  },
  {
    pages: {
      '/build/': async () => (await import('./pages/builds/builds.tsx')).BuildsPage,
      '/build/:pk/': async () => (await import('./pages/builds/build.tsx')).BuildPage,
    },
  },
  {
    pages: {
      '/stock/count/': async () => (await import('./pages/count/select-location.tsx')).SelectLocationPage,
      '/stock/count/:pk/': async () => (await import('./pages/count/count-sheet.tsx')).CountSheetPage,
    },
  },
  {
    pages: {
      '/order/purchase-order/': async () => (await import('./pages/purchase-orders/purchase-orders.tsx')).PurchaseOrdersPage,
      '/order/purchase-order/:pk/': async () => (await import('./pages/purchase-orders/purchase-order.tsx')).PurchaseOrderPage,
      '/order/purchase-order/:pk/receive/': async () => (await import('./pages/purchase-orders/receive.tsx')).ReceivePage,
    },
  },
  {
    pages: {
      '/order/sales-order/': async () => (await import('./pages/sales-orders/sales-orders.tsx')).SalesOrdersPage,
      '/order/sales-order/:pk/': async () => (await import('./pages/sales-orders/sales-order.tsx')).SalesOrderPage,
    },
  },
  {
    pages: {
      '/order/return-order/': async () => (await import('./pages/return-orders/return-orders.tsx')).ReturnOrdersPage,
      '/order/return-order/:pk/': async () => (await import('./pages/return-orders/return-order.tsx')).ReturnOrderPage,
    },
  },
  {
    pages: {
      '/order/transfer-order/': async () => (await import('./pages/transfer-orders/transfer-orders.tsx')).TransferOrdersPage,
      '/order/transfer-order/:pk/': async () => (await import('./pages/transfer-orders/transfer-order.tsx')).TransferOrderPage,
    },
  },
  {
    pages: {
      '/company/': async () => (await import('./pages/companies/companies.tsx')).CompaniesPage,
      '/company/:pk/': async () => (await import('./pages/companies/company.tsx')).CompanyPage,
    },
  },
  {
    pages: {
      '/invitation/': async () => (await import('./pages/sign-in/accept-invitation.tsx')).InvitationPage,
    },
  },
  {
    pages: {
      '/import/': async () => (await import('./pages/import/imports.tsx')).ImportsPage,
      '/import/:pk/': async () => (await import('./pages/import/import-session.tsx')).ImportSessionPage,
    },
  },
  // the settings, which the menu of the account opens: their navigation is in pages/settings/settings-pages.ts
  {
    pages: {
      '/settings/': async () => (await import('./pages/settings/overview.tsx')).SettingsOverviewPage,
      '/settings/profile/': async () => (await import('./pages/settings/account/profile.tsx')).ProfilePage,
      '/settings/security/': async () => (await import('./pages/settings/account/security.tsx')).SecurityPage,
      '/settings/activity/': async () => (await import('./pages/settings/account/activity.tsx')).ActivityPage,
      '/settings/tokens/': async () => (await import('./pages/settings/account/tokens.tsx')).TokensPage,
      '/settings/notifications/': async () =>
        (await import('./pages/settings/account/notifications.tsx')).NotificationSettingsPage,
      '/settings/display/': async () => (await import('./pages/settings/account/display.tsx')).DisplayPage,
      '/settings/users/': async () => (await import('./pages/settings/people/users.tsx')).UsersPage,
      '/settings/users/:pk/': async () => (await import('./pages/settings/people/user.tsx')).UserPage,
      '/settings/invitations/': async () => (await import('./pages/settings/people/invitations.tsx')).InvitationsPage,
      '/settings/groups/': async () => (await import('./pages/settings/people/groups.tsx')).GroupsPage,
      '/settings/groups/:pk/': async () => (await import('./pages/settings/people/group.tsx')).GroupPage,
      '/settings/security-events/': async () => (await import('./pages/settings/people/security-events.tsx')).SecurityEventsPage,
      '/settings/security-events/:pk/': async () =>
        (await import('./pages/settings/people/security-event.tsx')).SecurityEventPage,
      '/settings/general/': async () => (await import('./pages/settings/system/general.tsx')).GeneralPage,
      '/settings/currencies/': async () => (await import('./pages/settings/system/currencies.tsx')).CurrenciesPage,
      '/settings/units/': async () => (await import('./pages/settings/system/units.tsx')).UnitsPage,
      '/settings/references/': async () => (await import('./pages/settings/system/references.tsx')).ReferencesPage,
      '/settings/project-codes/': async () => (await import('./pages/settings/system/project-codes.tsx')).ProjectCodesPage,
      '/settings/location-types/': async () => (await import('./pages/settings/system/location-types.tsx')).LocationTypesPage,
      '/settings/parameters/': async () => (await import('./pages/settings/system/parameters.tsx')).ParameterTemplatesPage,
      '/settings/printers/': async () => (await import('./pages/settings/printing/printers.tsx')).PrintersPage,
      '/settings/printers/:machine/': async () => (await import('./pages/settings/printing/printer.tsx')).PrinterPage,
      '/settings/print-jobs/': async () => (await import('./pages/settings/printing/print-jobs.tsx')).PrintJobsPage,
      '/settings/plugins/': async () => (await import('./pages/settings/plugins/plugins.tsx')).PluginsPage,
      '/settings/plugins/:key/': async () => (await import('./pages/settings/plugins/plugin-page.tsx')).PluginPage,
      '/settings/templates/': async () => (await import('./pages/settings/printing/templates.tsx')).TemplatesPage,
      '/settings/templates/assets/': async () => (await import('./pages/settings/printing/library.tsx')).AssetsPage,
      '/settings/templates/snippets/': async () => (await import('./pages/settings/printing/library.tsx')).SnippetsPage,
      '/settings/templates/:kind/:pk/': async () => (await import('./pages/settings/printing/template-page.tsx')).TemplatePage,
      '/settings/system/': async () => (await import('./pages/settings/system/global-settings.tsx')).GlobalSettingsPage,
      '/settings/about/': async () => (await import('./pages/settings/operation/about.tsx')).AboutPage,
      '/settings/health/': async () => (await import('./pages/settings/operation/health.tsx')).HealthPage,
      '/settings/tasks/': async () => (await import('./pages/settings/operation/tasks.tsx')).BackgroundTasksPage,
      '/settings/errors/': async () => (await import('./pages/settings/operation/errors.tsx')).ErrorReportsPage,
      '/settings/mail/': async () => (await import('./pages/settings/operation/mail.tsx')).MailsPage,
      '/settings/backups/': async () => (await import('./pages/settings/operation/backups.tsx')).BackupsPage,
      '/settings/verify/': async () => (await import('./pages/settings/operation/verification.tsx')).Verification,
    },
  },
]

/** Finds the page of a path: its loader, and the parameters in the path. */
export function findPage(path: string) {
  for (const { pages } of pageGroups)
    for (const [pattern, load] of Object.entries(pages)) {
      const params = matchPath(pattern, path)
      if (params) return { load, at: params }
    }
  return undefined
}
