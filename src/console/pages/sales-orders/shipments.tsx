import metadata from 'metadata:/api/order/so/shipment/{id}/ship/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../kit/form/confirm.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { formatDate, formatWithUnit, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { postAction, remove } from '../../kit/service/saves.ts'
import { PartName } from '../orders/order-cells.tsx'
import type { Allocation, Shipment } from './sales-order-details.ts'

type Properties = {
  shipments: readonly Shipment[]
  /** Whether the order is open and the account may ship it. */
  canShip: boolean
  /** Whether its lines are still short of stock. */
  hasShortage: boolean
  canDelete: boolean
  onChanged: () => void
}

/** The shipments, with the contents of each that is not shipped yet. */
export function Shipments({ shipments, canShip, hasShortage, canDelete, onChanged }: Properties) {
  const dialog = useSignal<{ kind: 'ship' | 'delete'; pk: number } | undefined>(undefined)
  /** The shipment that a confirmation is open for, as it is now. */
  const findShipment = (kind: 'ship' | 'delete') =>
    dialog.value?.kind === kind ? shipments.find(({ pk }) => pk === dialog.value?.pk) : undefined
  const shipmentToShip = findShipment('ship')
  const shipmentToDelete = findShipment('delete')
  const openDialog = (kind?: 'ship' | 'delete', shipment?: Shipment) => () => {
    dialog.value = kind && shipment && { kind, pk: shipment.pk }
  }
  const readyShipment = shipments.find((one) => one.shipment_date === null && one.allocations.length > 0)
  // everything is allocated: shipping is the next step
  useRequestedAction('pack', canShip && readyShipment !== undefined && !hasShortage, openDialog('ship', readyShipment))
  useCommands(
    () => (canShip && readyShipment ? [{ keys: 's', label: () => t('sales.ship'), run: openDialog('ship', readyShipment) }] : []),
    [canShip, readyShipment],
  )
  async function release({ pk }: Allocation) {
    await attempt(() => remove(`/api/order/so-allocation/${pk}/`))
    onChanged()
  }
  if (shipments.length === 0) return null
  return (
    <>
      {shipments.map((shipment) => {
        const isShipped = shipment.shipment_date !== null
        return (
          <Panel
            key={shipment.pk}
            class="flush"
            title={t('sales.shipment', { reference: shipment.reference })}
            actions={
              isShipped ? (
                <span class="badges">
                  {shipment.tracking_number && <Badge>{shipment.tracking_number}</Badge>}
                  <Badge tone="good">{t('sales.shipped-on', { day: formatDate(shipment.shipment_date) })}</Badge>
                </span>
              ) : shipment.allocations.length === 0 ? (
                canDelete && (
                  <button type="button" class="quiet" onClick={openDialog('delete', shipment)}>
                    <Icon name="trash" />
                    {t('sales.delete-shipment', { reference: shipment.reference })}
                  </button>
                )
              ) : (
                canShip && (
                  <button type="button" class="primary" onClick={openDialog('ship', shipment)}>
                    <Icon name="truck" />
                    {t('sales.ship')}
                  </button>
                )
              )
            }
          >
            {shipment.allocations.length === 0 ? (
              <p class="quiet-text pad">{t('sales.shipment-empty')}</p>
            ) : (
              <ul class="allocations">
                {shipment.allocations.map((allocation) => (
                  <li key={allocation.pk}>
                    <PartName part={allocation.part_detail} detail={isShipped ? '' : allocation.location_detail?.pathstring} />
                    <a href={`/stock/item/${allocation.item}/`}>
                      {allocation.serial
                        ? `#${allocation.serial}`
                        : formatWithUnit(allocation.quantity, allocation.part_detail?.units)}
                    </a>
                    {!isShipped && canDelete && (
                      <button
                        type="button"
                        class="quiet icon-only"
                        aria-label={t('sales.release', { part: allocation.part_detail?.name ?? '' })}
                        title={t('sales.release', { part: allocation.part_detail?.name ?? '' })}
                        onClick={() => release(allocation)}
                      >
                        <Icon name="close" />
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </Panel>
        )
      })}
      {shipmentToDelete && (
        <Confirm
          title={t('rows.delete-confirm', { name: t('sales.shipment', { reference: shipmentToDelete.reference }) })}
          button={t('delete')}
          onConfirm={() => remove(`/api/order/so/shipment/${shipmentToDelete.pk}/`, shipmentToDelete.etag).finally(onChanged)}
          onClose={openDialog()}
        />
      )}
      {shipmentToShip && (
        <FormDialog
          title={t('sales.ship-ask', { reference: shipmentToShip.reference })}
          metadata={metadata}
          start={{}}
          names={['tracking_number', 'shipment_date']}
          button={t('sales.ship')}
          send={async (values, key) => {
            const version = { etag: shipmentToShip.etag, reload: onChanged }
            const response = await postAction(`/api/order/so/shipment/${shipmentToShip.pk}/`, 'ship', values, key, version)
            onChanged()
            return response
          }}
          getSuccessMessage={() => t('sales.shipped-status')}
          onDone={openDialog()}
          onClose={openDialog()}
        >
          <p>{t('sales.ship-more')}</p>
        </FormDialog>
      )}
    </>
  )
}
