import type { Endpoint } from '../kit/definition/action.ts'
import type { Resource } from '../kit/definition/resource.ts'
import type { Services } from '../kit/services/services.ts'
import { performAction } from './action/perform.action.ts'
import { adminConfig } from './admin/config/config.view.ts'
import { emailActions } from './admin/email/email.action.ts'
import { emailMessage } from './admin/email/email-message.resource.ts'
import { readRoot } from './api.view.ts'
import { attachment } from './attachment/attachment.resource.ts'
import { auth } from './auth/index.ts'
import { backgroundTasks } from './background-task/background-task.ts'
import { barcode } from './barcode/index.ts'
import { bom } from './bom/index.ts'
import { build } from './build/index.ts'
import { company } from './company/index.ts'
import { createContentTypeViews } from './contenttype/content-type.view.ts'
import { currency } from './currency/index.ts'
import { dataOutput } from './data-output/data-output.resource.ts'
import { email } from './email/index.ts'
import { errorReport } from './error-report/error-report.resource.ts'
import { flags } from './flags/flags.view.ts'
import { generateActions } from './generate/generate.action.ts'
import { generic } from './generic/index.ts'
import { listIcons } from './icons/icons.view.ts'
import { importer } from './importer/index.ts'
import { label } from './label/index.ts'
import { readLicenses } from './license/license.view.ts'
import { locate } from './locate/locate.action.ts'
import { machineActions } from './machine/machine.action.ts'
import { machineConfig } from './machine/machine.resource.ts'
import { machineViews } from './machine/machine.view.ts'
import { createMachineSettingActions } from './machine/settings.action.ts'
import { createMetadataActions } from './metadata/metadata.action.ts'
import { news } from './news/news.resource.ts'
import { notesImage } from './notes-image-upload/notes-image.resource.ts'
import { notification } from './notifications/notification.resource.ts'
import { createReadAllActions } from './notifications/readall/readall.action.ts'
import { order } from './order/index.ts'
import { parameter } from './parameter/index.ts'
import { part } from './part/index.ts'
import { pluginActions } from './plugins/index.ts'
import { pluginConfig } from './plugins/plugin-config.resource.ts'
import { printJobActions } from './print-job/change-print-job.action.ts'
import { printJobs } from './print-job/print-job.resource.ts'
import { readPrintJob } from './print-job/print-job.view.ts'
import { projectCode } from './project-code/project-code.resource.ts'
import { report } from './report/index.ts'
import { searchAll } from './search/search.action.ts'
import { selection } from './selection/index.ts'
import { notificationSettingActions } from './settings/notification/notification-setting.action.ts'
import { globalSettingActions, userSettingActions } from './settings/settings.action.ts'
import { stock } from './stock/index.ts'
import { supplierActions } from './supplier/supplier.action.ts'
import { readSystemHealth } from './system/health.view.ts'
import { tag } from './tag/tag.resource.ts'
import { units } from './units/index.ts'
import { user } from './user/index.ts'
import { createChangeMe } from './user/me/me.action.ts'
import { createReadMe } from './user/me/me.view.ts'
import { createOwnRolesView } from './user/me/roles/own-roles.view.ts'
import { createRolesView } from './user/roles/roles.view.ts'
import { readVersion } from './version/version.view.ts'
import { createVersionTextViews } from './version-text/version-text.view.ts'
import { readAbout } from './web/about/about.view.ts'
import { backupActions } from './web/backup/index.ts'
import { listCurrencies } from './web/currencies/currencies.view.ts'
import { setOwnRate } from './web/currencies/set-own-rate.action.ts'
import { demoWorkshop } from './web/demo/demo.action.ts'
import { readFigures } from './web/figures/figures.view.ts'
import { firstAccount } from './web/first-account/first-account.view.ts'
import { listGlobalSettings } from './web/global-settings/global-settings.view.ts'
import { checkHealth } from './web/health/health.action.ts'
import { readInstance } from './web/instance/instance.view.ts'
import { logoActions } from './web/logo/logo.action.ts'
import { listMachineSettings } from './web/machines/settings/machine-settings.view.ts'
import { mailLog } from './web/mail/mail-log.resource.ts'
import { sendTestMail } from './web/mail/test.action.ts'
import { listPlugins } from './web/plugins/plugins.view.ts'
import { listPluginSettings } from './web/plugins/settings/plugin-settings.view.ts'
import { listProjectCodeUses } from './web/project-code-uses/project-code-uses.view.ts'
import { readTogether } from './web/read/read.action.ts'
import { previewReference } from './web/reference-preview/reference-preview.view.ts'
import { webSettings } from './web/settings/web-settings.view.ts'
import { setup } from './web/setup/setup.action.ts'
import { templateLanguage } from './web/template/language/template-language.view.ts'
import { previewTemplate } from './web/template/preview/template-preview.action.ts'
import { listBuiltInTemplates } from './web/template/shipped/shipped-templates.view.ts'
import { readTemplateSource } from './web/template/source/template-source.view.ts'
import { listTemplateUses } from './web/template/uses/template-uses.view.ts'
import { uiPreference } from './web/ui_preference/ui-preference.action.ts'
import { unitConversions } from './web/unit-conversions/unit-conversions.action.ts'
import { savedView } from './web/view/saved-view.resource.ts'
import { receiveWebhook } from './webhook/webhook.action.ts'

const areas = [
  auth,
  barcode,
  bom,
  build,
  company,
  currency,
  email,
  generic,
  importer,
  label,
  order,
  parameter,
  part,
  report,
  selection,
  stock,
  units,
  user,
]

/** All resources. The folder of a definition is its URL. */
export const resources: readonly Resource[] = [
  ...areas.flatMap((area) => area.resources),
  attachment,
  dataOutput,
  errorReport,
  machineConfig,
  news,
  pluginConfig,
  printJobs,
  projectCode,
  notesImage,
  notification,
  tag,
  emailMessage,
  mailLog,
  savedView,
]

/** All actions and views: the URLs other than plain lists, details and writes of a resource. */
export const actions = (services: Services): readonly Endpoint[] => [
  readRoot,
  readVersion,
  performAction,
  locate,
  receiveWebhook,
  searchAll,
  readLicenses,
  ...adminConfig,
  ...backgroundTasks,
  ...createContentTypeViews(() => resources),
  ...createMetadataActions(() => resources),
  createRolesView(() => resources),
  createOwnRolesView(() => resources),
  createReadMe(() => resources),
  ...createChangeMe(() => resources),
  readSystemHealth,
  listIcons,
  ...generateActions,
  ...emailActions,
  ...supplierActions,
  ...flags,
  ...uiPreference,
  readTogether,
  webSettings,
  listGlobalSettings,
  listPlugins,
  listPluginSettings,
  listMachineSettings,
  firstAccount,
  readInstance,
  ...logoActions,
  listCurrencies,
  setOwnRate,
  ...unitConversions,
  previewReference,
  listProjectCodeUses,
  readFigures,
  readAbout,
  checkHealth,
  sendTestMail,
  ...backupActions,
  previewTemplate,
  templateLanguage,
  listBuiltInTemplates,
  listTemplateUses,
  readTemplateSource,
  ...demoWorkshop,
  ...setup,
  ...createVersionTextViews(services),
  readPrintJob,
  ...printJobActions,
  ...machineActions,
  ...machineViews,
  ...createMachineSettingActions(services),
  ...areas.flatMap((area) => area.actions),
  ...pluginActions(services),
  ...globalSettingActions(services),
  ...userSettingActions(services),
  ...notificationSettingActions(services),
  ...createReadAllActions(services.config),
]
