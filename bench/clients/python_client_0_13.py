"""Uses each class of the Python client 0.13, the last one for API versions below 206, end to end."""

import os
import tempfile

from inventree.api import InvenTreeAPI
from inventree.build import Build, BuildAttachment
from inventree.company import (
    Address,
    Company,
    Contact,
    ManufacturerPart,
    ManufacturerPartAttachment,
    ManufacturerPartParameter,
    SupplierPart,
    SupplierPriceBreak,
)
from inventree.currency import CurrencyManager
from inventree.label import LabelLocation, LabelPart, LabelStock
from inventree.part import (
    BomItem,
    InternalPrice,
    Parameter,
    ParameterTemplate,
    Part,
    PartAttachment,
    PartCategory,
    PartCategoryParameterTemplate,
    PartRelated,
    PartTestTemplate,
    SalePrice,
)
from inventree.project_code import ProjectCode
from inventree.purchase_order import PurchaseOrder
from inventree.report import ReportBoM, ReportBuild, ReportPurchaseOrder, ReportReturnOrder, ReportSalesOrder, ReportStockLocation
from inventree.return_order import ReturnOrder
from inventree.sales_order import SalesOrder
from inventree.stock import StockItem, StockItemAttachment, StockLocation
from inventree.user import User
from steps import BASE, FOLDER, PASSWORD, RUN, USERNAME, finish, png, rejects, step, write_file

folder = tempfile.mkdtemp(dir=FOLDER)
picture = write_file("part.png", png())
sheet = write_file("datasheet.txt", b"Forward voltage 2.1 V")

with step("connect with a password"):
    api = InvenTreeAPI(BASE, username=USERNAME, password=PASSWORD)
    assert api.token and api.api_version == 196
with step("connect with the token"):
    api = InvenTreeAPI(BASE, token=api.token)
    assert api.username == USERNAME

with step("PartCategory, parameter templates"):
    root = PartCategory.create(api, {"name": f"Electronics {RUN}", "description": "All of it"})
    category = PartCategory.create(api, {"name": "LEDs", "description": "Light", "parent": root.pk})
    assert category.getParentCategory().pk == root.pk and [one.pk for one in root.getChildCategories()] == [category.pk]
    voltage = ParameterTemplate.create(api, {"name": f"Voltage {RUN}", "units": "V"})
    colour = ParameterTemplate.create(api, {"name": f"Colour {RUN}"})
    link = PartCategoryParameterTemplate.create(api, {"category": root.pk, "parameter_template": voltage.pk})
    assert [one.pk for one in category.getCategoryParameterTemplates()] == [link.pk]
    assert link.getTemplate().pk == voltage.pk and link.getCategory().pk == root.pk
with step("Part: create, list, count, get, save, fields"):
    fields = {"category": category.pk, "component": True, "purchaseable": True, "salable": True}
    part = Part.create(api, {"name": f"LED {RUN}", "IPN": f"LED-{RUN}", "description": "A red LED", **fields})
    part.save({"description": "A bright red LED"})
    part["keywords"] = "light"
    part.save()
    part.reload()
    assert part.description == "A bright red LED" and part.keywords == "light"
    assert [one.pk for one in Part.list(api, IPN=f"LED-{RUN}")] == [part.pk] and Part.count(api, category=category.pk) == 1
    assert "category" in Part.fieldNames(api)
with step("Part: image, attachments, metadata"):
    part.uploadImage(picture)
    part.downloadImage(folder)
    uploaded = part.uploadAttachment(sheet, comment="Datasheet")
    link = part.addLinkAttachment("https://example.com/led", comment="Vendor")
    assert len(part.getAttachments()) == 2
    PartAttachment(api, uploaded["pk"]).download(os.path.join(folder, "copy.txt"))
    PartAttachment.bulkDelete(api, items=[link["pk"]])
    assert len(part.getAttachments()) == 1
    part.setMetadata({"shelf": "A1"})
    part.setMetadata({"row": 3})
    assert part.getMetadata() == {"shelf": "A1", "row": 3}
with step("Parameter: create, save, list, delete"):
    parameter = Parameter.create(api, {"part": part.pk, "template": colour.pk, "data": "red"})
    parameter.save({"data": "green"})
    assert "green" in [one.data for one in part.getParameters()] and parameter.getunits() == ""
    parameter.delete()
with step("InternalPrice, SalePrice, requirements, related parts"):
    part.setInternalPrice(1, 0.5)
    assert [one.quantity for one in part.getInternalPriceList()] == [1]
    SalePrice.setSalePrice(api, part.pk, 1, 2.5, "USD")
    assert float(part.getSalePrice()) == 2.5
    part.getRequirements()
    lens = Part.create(api, {"name": f"Lens {RUN}", "description": "For a LED", **fields})
    PartRelated.add_related(api, part, lens)
    assert len(part.getRelated()) == 1
    part.getRelated()[0].delete()
with step("BomItem, PartTestTemplate"):
    lamp = Part.create(
        api,
        {"name": f"Lamp {RUN}", "description": "A lamp", "category": category.pk, "assembly": True, "trackable": True, "salable": True},
    )
    line = BomItem.create(api, {"part": lamp.pk, "sub_part": part.pk, "quantity": 2})
    assert [one.pk for one in lamp.getBomItems()] == [line.pk] and [one.part for one in part.isUsedIn()] == [lamp.pk]
    test = PartTestTemplate.create(api, {"part": lamp.pk, "test_name": "Bright enough?", "description": "By eye"})
    assert test.getTestKey() == "brightenough" and [one.pk for one in lamp.getTestTemplates()] == [test.pk]
with step("Company, Contact, Address"):
    supplier = Company.create(api, {"name": f"Supplier {RUN}", "description": "", "is_supplier": True, "currency": "USD"})
    maker = Company.create(api, {"name": f"Maker {RUN}", "description": "", "is_manufacturer": True, "currency": "EUR"})
    customer = Company.create(api, {"name": f"Customer {RUN}", "description": "", "is_customer": True, "currency": "EUR"})
    supplier.uploadImage(picture)
    contact = Contact.create(api, {"company": supplier.pk, "name": "Ann"})
    address = Address.create(api, {"company": supplier.pk, "title": "Works", "primary": True})
    assert [one.pk for one in supplier.getContacts()] == [contact.pk] and [one.pk for one in supplier.getAddresses()] == [address.pk]
with step("ManufacturerPart with parameters and attachments, SupplierPart, price breaks"):
    made = ManufacturerPart.create(api, {"part": part.pk, "manufacturer": maker.pk, "MPN": f"M-{RUN}"})
    ManufacturerPartParameter.create(api, {"manufacturer_part": made.pk, "name": "Colour", "value": "red"})
    assert [one.value for one in made.getParameters()] == ["red"]
    made.uploadAttachment(sheet)
    assert len(ManufacturerPartAttachment.list(api, manufacturer_part=made.pk)) == 1
    bought = SupplierPart.create(
        api, {"part": part.pk, "supplier": supplier.pk, "SKU": f"S-{RUN}", "manufacturer_part": made.pk, "pack_quantity": "10"}
    )
    SupplierPriceBreak.create(api, {"part": bought.pk, "quantity": 1, "price": 3, "price_currency": "USD"})
    assert [float(one.price) for one in bought.getPriceBreaks()] == [3]
    extra = [SupplierPart.create(api, {"part": part.pk, "supplier": supplier.pk, "SKU": f"X{n}-{RUN}"}).pk for n in range(3)]
    SupplierPart.bulkDelete(api, items=extra)
    assert [one.pk for one in supplier.getSuppliedParts()] == [bought.pk] == [one.pk for one in part.getSupplierParts()]

with step("StockLocation, StockItem: create, count, add, remove, transfer, tracking"):
    store = StockLocation.create(api, {"name": f"Store {RUN}", "description": ""})
    shelf = StockLocation.create(api, {"name": "Shelf", "description": "", "parent": store.pk})
    item = StockItem.create(api, {"part": part.pk, "quantity": 100, "location": store.pk, "batch": "B1"})
    item.countStock(50)
    item.addStock(10)
    item.removeStock(5)
    item.transferStock(shelf, quantity=20)
    item.reload()
    assert item.quantity == 35 and item.getPart().pk == part.pk and item.getLocation().pk == store.pk
    assert sum(one.quantity for one in shelf.getStockItems()) == 20 and len(item.getTrackingEntries()) >= 4
with step(
    "StockItem: create with a serial number",
    client_fault="it creates the item, but cannot read the response of API 196, without a key",
    error="Supplied <pk> value (None)",
):
    StockItem.create(api, {"part": lamp.pk, "quantity": 1, "location": store.pk, "serial_numbers": f"{RUN}1"})
with step("StockItem: assign, install, uninstall, attachments, metadata"):
    gift = StockItem.create(api, {"part": part.pk, "quantity": 1, "location": store.pk})
    gift.assignStock(customer)
    gift.reload()
    assert gift.customer == customer.pk
    serialized = StockItem.list(api, part=lamp.pk, serial=f"{RUN}1")[0]
    led = StockItem.create(api, {"part": part.pk, "quantity": 1, "location": store.pk})
    serialized.installStock(led)
    led.uninstallStock(store)
    led.reload()
    assert led.belongs_to is None
    item.uploadAttachment(sheet)
    assert len(StockItemAttachment.list(api, stock_item=item.pk)) == 1
    item.setMetadata({"tray": 7})
    assert item.getMetadata() == {"tray": 7}
with step("StockItemTestResult: upload by name, by template, with a file"):
    serialized.uploadTestResult("Bright enough?", True, value="12")
    serialized.uploadTestResult(test, False, attachment=sheet)
    results = serialized.getTestResults()
    assert len(results) == 2 and {one.getTestKey() for one in results} == {"brightenough"}
with step("StockItem: bulk delete"):
    doomed = [StockItem.create(api, {"part": part.pk, "quantity": 1}).pk for _ in range(2)]
    StockItem.bulkDelete(api, items=doomed)
    rejects(lambda: StockItem(api, doomed[0]), 404)
with step("Barcodes"):
    item.assignBarcode(f"code-{RUN}")
    assert api.scanBarcode(f"code-{RUN}")["stockitem"]["pk"] == item.pk
    item.unassignBarcode()
    rejects(lambda: api.scanBarcode(f"code-{RUN}"), 400)

with step("ProjectCode, PurchaseOrder: lines, issue, receive, complete, cancel"):
    project = ProjectCode.create(api, {"code": f"P-{RUN}", "description": "A project"})
    order = supplier.createPurchaseOrder(description="LEDs", project_code=project.pk, contact=contact.pk)
    po_line = order.addLineItem(part=bought.pk, quantity=5, purchase_price=2)
    order.addExtraLineItem(quantity=1, reference="Freight", price=9.5)
    assert len(order.getLineItems()) == 1 and len(order.getExtraLineItems()) == 1 and po_line.getPart().pk == part.pk
    order.uploadAttachment(sheet)
    assert len(order.getAttachments()) == 1 and order.getSupplier().pk == supplier.pk and order.getContact().pk == contact.pk
    order.issue()
    po_line.receive(quantity=3, location=store, batch_code="R1")
    assert po_line.received == 3
    order.receiveAll(location=store)
    if order.status != 30:
        order.complete()
    assert order.status == 30
    other = PurchaseOrder.create(api, {"supplier": supplier.pk, "description": "A mistake"})
    other.cancel()
    assert other.status == 40
with step("SalesOrder: lines, shipments, allocate, ship, complete, cancel"):
    sale = customer.createSalesOrder(description="Lamps")
    so_line = sale.addLineItem(part=part.pk, quantity=10, sale_price=4)
    sale.addExtraLineItem(quantity=1, reference="Postage", price=5)
    first = sale.addShipment(f"First {RUN}")
    so_line.allocateToShipment(first, quantity=4)
    so_line.reload()
    assert so_line.allocated == 4
    so_line.allocateToShipment(first)
    first.complete(tracking_number="T1")
    so_line.reload()
    assert so_line.shipped == 10 and first.shipment_date
    sale.complete()
    assert sale.status in (20, 30), sale.status
    other = SalesOrder.create(api, {"customer": customer.pk, "description": "A mistake"})
    other.cancel()
    assert other.status == 40
with step("ReturnOrder: lines, issue, receive, complete"):
    sold = StockItem.list(api, sales_order=sale.pk)
    back = customer.createReturnOrder(description="Broken")
    ro_line = back.addLineItem(item=sold[0].pk)
    back.addExtraLineItem(quantity=1, reference="Fee", price=2)
    assert ro_line.getStockItem().pk == sold[0].pk and len(back.getLineItems()) == 1
    back.issue()
    api.post(f"order/ro/{back.pk}/receive/", {"items": [{"item": ro_line.pk}], "location": store.pk})
    back.complete()
    assert back.status == 30
    other = ReturnOrder.create(api, {"customer": customer.pk, "description": "A mistake"})
    other.cancel()
with step("Build: create, outputs, finish, cancel, attachments"):
    build = Build.create(api, {"part": lamp.pk, "quantity": 2, "title": "Lamps"})
    api.post(f"build/{build.pk}/create-output/", {"quantity": 2, "serial_numbers": f"{RUN}11-{RUN}12"})
    outputs = StockItem.list(api, build=build.pk, is_building=True)
    assert len(outputs) == 2
    data = {
        "outputs": [{"output": one.pk} for one in outputs],
        "location": store.pk,
        "status": 10,
        "accept_incomplete_allocation": True,
    }
    api.post(f"build/{build.pk}/complete/", data)
    build.complete(accept_unallocated=True)
    assert build.status == 40
    build.uploadAttachment(sheet)
    assert len(BuildAttachment.list(api, build=build.pk)) == 1
    other = Build.create(api, {"part": lamp.pk, "quantity": 1, "title": "A mistake"})
    other.cancel()
    assert other.status == 30

with step("Labels: list, create, print"):
    for thing, kind in [(part, LabelPart), (item, LabelStock), (store, LabelLocation)]:
        assert kind.list(api)
        target = os.path.join(folder, f"label-{kind.__name__}.pdf")
        thing.printlabel(kind.list(api)[0], destination=target)
        assert open(target, "rb").read(5) == b"%PDF-"
    source = write_file("label.html", b"<html><body>{{ part.name }}</body></html>")
    label = LabelPart.create(api, {"name": f"Label {RUN}", "description": "A label", "width": 50, "height": 25}, source)
    label.save({"description": "The label"})
    label.downloadTemplate(os.path.join(folder, "label.html"))
    label.delete()
with step("Reports: list, print"):
    for thing, kind in [
        (order, ReportPurchaseOrder),
        (sale, ReportSalesOrder),
        (back, ReportReturnOrder),
        (build, ReportBuild),
        (store, ReportStockLocation),
    ]:
        assert kind.list(api), kind
        target = os.path.join(folder, f"report-{kind.__name__}.pdf")
        thing.printreport(kind.list(api)[0], target)
        assert open(target, "rb").read(5) == b"%PDF-"
    assert ReportBoM.list(api)
with step("User, CurrencyManager"):
    assert USERNAME in [one.username for one in User.list(api)]
    currencies = CurrencyManager(api)
    assert currencies.getExchangeRates()[currencies.getBaseCurrency()] == 1
with step("delete: line, contact, address, location, category, part"):
    assert InternalPrice.list(api, part=part.pk)
    line.delete()
    contact.delete()
    address.delete()
    StockLocation.create(api, {"name": f"Empty {RUN}"}).delete()
    PartCategory.create(api, {"name": f"Hollow {RUN}"}).delete()
    lens.save({"active": False})
    lens.delete()

finish()
