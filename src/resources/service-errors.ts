import { errorCatalogue } from '../kit/values/message.ts'

/** Errors of currencies, project codes, saved views and other resources of the whole service. */
export const serviceErrors = errorCatalogue('Service', {
  invalid_exchange_rate: 'An exchange rate must be greater than zero.',
  other_base_currency: 'Rates must be based on the default currency, {currency}.',
  rate_of_base_currency: 'The rate of the default currency must be 1.',
  rates_plugin_inactive: 'The plugin {plugin}, which fetches exchange rates, is not enabled.',
  rates_plugin_required: 'No plugin is selected for fetching exchange rates (CURRENCY_UPDATE_PLUGIN).',
  rates_not_fetched: 'The exchange rates could not be fetched: {plugin}: {reason}',
  project_code_taken: 'project code with this Project Code already exists.',
  unknown_status_table: 'The status table does not exist.',
  view_name_taken: 'You already have a view of this page with this name.',
  view_path: 'A path starts with one / and has no query.',
  view_query: 'Write the query as in a URL, without ? and #.',
  view_shared_by_other: 'Only the owner can stop sharing it.',
  max_views: 'An account can have at most {max_views:integer} views.',
  shared_view_protected: 'Only the owner or staff can change a shared view.',
  addresses_required: 'At least one URL is required.',
  max_addresses: 'At most {max_addresses:integer} URLs can be read at once.',
  interface_address_expected: 'A URL of this API starts with /api/.',
  unknown_webhook: 'The webhook does not exist.',
  backup_running: 'A backup is already being made.',
  backup_folder_unreadable: 'The folder of backups cannot be read: {reason}.',
  test_mail_without_address: 'Your account has no email address: add one first.',
  licenses_unknown: 'The list of installed packages is missing.',
  demo_filling: 'The sample data is already being loaded.',
  demo_incomplete:
    'Loading the sample data stopped with an error, and incomplete data remains: start again with another DATA_DIR, or delete the data. {reason}',
  demo_stopped:
    'Loading the sample data stopped, and incomplete data remains: start again with another DATA_DIR, or delete the data.',
  demo_over_inventory: 'The database already has data: {kind} is not empty.',
  demo_account_exists: 'The account {username} of the sample data already exists.',
  demo_group_exists: 'The group {name} of the sample data already exists.',
  demo_there: 'The sample data is already loaded.',
})
