"""
Uses each class of the newest Python client, end to end. One long script: its steps use the objects of the steps before them.
"""

import os
import tempfile

from inventree.api import InvenTreeAPI
from inventree.base import Attachment, Parameter, ParameterTemplate
from inventree.build import Build, BuildItem, BuildLine
from inventree.company import Address, Company, Contact, ManufacturerPart, SupplierPart, SupplierPriceBreak
from inventree.currency import CurrencyManager
from inventree.label import LabelTemplate
from inventree.part import (
    BomItem,
    BomItemSubstitute,
    InternalPrice,
    Part,
    PartCategory,
    PartCategoryParameterTemplate,
    PartRelated,
    PartTestTemplate,
    SalePrice,
)
from inventree.plugin import InvenTreePlugin
from inventree.project_code import ProjectCode
from inventree.purchase_order import PurchaseOrder, PurchaseOrderExtraLineItem, PurchaseOrderLineItem
from inventree.report import ReportTemplate
from inventree.return_order import ReturnOrder, ReturnOrderExtraLineItem, ReturnOrderLineItem
from inventree.sales_order import (
    SalesOrder,
    SalesOrderAllocation,
    SalesOrderExtraLineItem,
    SalesOrderLineItem,
    SalesOrderShipment,
)
from inventree.stock import StockItem, StockItemTestResult, StockLocation
from inventree.user import Group, Owner, User
from steps import BASE, FOLDER, PASSWORD, RUN, USERNAME, finish, png, rejects, step, write_file

folder = tempfile.mkdtemp(dir=FOLDER)
picture = write_file("part.png", png())
sheet = write_file("datasheet.txt", b"Forward voltage 2.1 V")

# connection

with step("connect with a password"):
    api = InvenTreeAPI(BASE, username=USERNAME, password=PASSWORD)
    assert api.token and api.api_version == 530
with step("connect with the token"):
    api = InvenTreeAPI(BASE, token=api.token)
    assert api.username == USERNAME
with step("connect without a token"):
    assert User.list(InvenTreeAPI(BASE, username=USERNAME, password=PASSWORD, use_token_auth=False))
with step("connect with a wrong password"):
    try:
        InvenTreeAPI(BASE, username=USERNAME, password="wrong")
    except ConnectionError:
        pass
    else:
        raise AssertionError("connects")

# parts

with step("PartCategory: create, parent, children, parts"):
    root = PartCategory.create(api, {"name": f"Electronics {RUN}", "description": "All of it"})
    category = PartCategory.create(api, {"name": "LEDs", "description": "Light", "parent": root.pk})
    assert category.getParentCategory().pk == root.pk
    assert [child.pk for child in root.getChildCategories()] == [category.pk]
    assert category.pathstring == f"Electronics {RUN}/LEDs" and category.getParts() == []
with step("ParameterTemplate: create, save, list"):
    voltage = ParameterTemplate.create(api, {"name": f"Voltage {RUN}", "units": "V", "description": "Forward"})
    colour = ParameterTemplate.create(api, {"name": f"Colour {RUN}", "choices": "red,green"})
    voltage.save({"description": "Forward voltage"})
    assert voltage.pk in [template.pk for template in ParameterTemplate.list(api, search=RUN)]
with step("PartCategoryParameterTemplate: create, list, template, category"):
    link = PartCategoryParameterTemplate.create(api, {"category": root.pk, "template": voltage.pk, "default_value": "2 V"})
    assert [one.pk for one in category.getCategoryParameterTemplates()] == [link.pk]
    assert category.getCategoryParameterTemplates(fetch_parent=False) == []
    assert link.getTemplate().name == voltage.name and link.getCategory().pk == root.pk
with step("Part: create, list, count, get, fields"):
    part = Part.create(
        api,
        {
            "name": f"LED {RUN}",
            "IPN": f"LED-{RUN}",
            "description": "A red LED",
            "category": category.pk,
            "component": True,
            "purchaseable": True,
            "salable": True,
        },
    )
    assert [one.pk for one in Part.list(api, IPN=f"LED-{RUN}")] == [part.pk]
    assert Part.count(api, category=category.pk) == 1 and part.getCategory().pk == category.pk
    assert Part(api, part.pk).name == part.name and "category" in Part.fieldNames(api)
    assert Part.fieldInfo("name", api)["required"] is True
    assert [one.pk for one in Part.list(api, limit=1, offset=0, search=f"LED {RUN}")] == [part.pk]
with step("Part: save by PATCH and PUT, reload"):
    part.save({"description": "A bright red LED"})
    part["keywords"] = "light"
    part.save()
    part.save({"name": part.name, "description": "By PUT", "category": category.pk, "IPN": part.IPN}, method="PUT")
    part.save({"purchaseable": True, "salable": True, "component": True, "active": True})
    part.reload()
    assert part.description == "By PUT" and part.keywords == "light"
with step("Part: rejects a name that is too long, an unknown category"):
    rejects(lambda: part.save({"name": "x" * 500}), 400)
    rejects(lambda: Part.create(api, {"name": "x", "category": 987654321}), 400)
    rejects(lambda: Part(api, 987654321), 404)
with step("Part: upload and download an image"):
    part.uploadImage(picture)
    assert part.image and part.thumbnail
    part.downloadImage(folder)
    assert open(os.path.join(folder, os.path.basename(part.image)), "rb").read(4) == b"\x89PNG"
with step("Part: attachments, links, download, bulk delete"):
    uploaded = part.uploadAttachment(sheet, comment="Datasheet")
    link = part.addLinkAttachment("https://example.com/led", comment="Vendor")
    assert {one.pk for one in part.getAttachments()} == {uploaded["pk"], link["pk"]}
    copy = os.path.join(folder, "copy.txt")
    Attachment(api, uploaded["pk"]).download(copy)
    assert open(copy, "rb").read() == b"Forward voltage 2.1 V"
    Attachment(api, link["pk"]).save({"comment": "The vendor"})
    Attachment.bulkDelete(api, items=[link["pk"]])
    assert [one.pk for one in part.getAttachments()] == [uploaded["pk"]]
with step("Parameter: create, save, delete, bulk delete"):
    # the part has it from its category
    [parameter] = part.getParameters()
    assert parameter.data == "2 V"
    parameter.save({"data": "2100 mV"})
    other = Parameter.create(api, {"model_type": "part", "model_id": part.pk, "template": colour.pk, "data": "red"})
    assert abs(parameter.data_numeric - 2.1) < 1e-9 and parameter.template_detail["units"] == "V"
    parameter.save({"data": "2.2"})
    assert {one.data for one in part.getParameters()} == {"2.2", "red"}
    rejects(lambda: other.save({"data": "violet"}), 400)
    other.delete()
    third = Parameter.create(api, {"model_type": "part", "model_id": part.pk, "template": colour.pk, "data": "green"})
    Parameter.bulkDelete(api, items=[third.pk])
    assert [one.pk for one in part.getParameters()] == [parameter.pk]
with step("Part: metadata"):
    part.setMetadata({"shelf": "A1", "old": True})
    part.setMetadata({"row": 3})
    assert part.getMetadata() == {"shelf": "A1", "old": True, "row": 3}
    part.setMetadata({"only": 1}, overwrite=True)
    assert part.getMetadata() == {"only": 1}
with step("InternalPrice, SalePrice, PartPricing"):
    part.setInternalPrice(1, 0.5)
    part.setInternalPrice(100, 0.4)
    assert sorted(one.quantity for one in part.getInternalPriceList()) == [1, 100]
    SalePrice.setSalePrice(api, part.pk, 1, 2.5, "USD")
    assert float(part.getSalePrice()) == 2.5
    part.getInternalPriceList()[0].save({"price": 0.45})
    InternalPrice.list(api, part=part.pk)[-1].delete()
    part.getPricing()
with step("PartPricing: update, override"):
    pricing = part.getPricing()
    pricing.updatePricing()
    pricing.save({"override_min": 1, "override_min_currency": "USD"})
    assert float(part.getPricing().override_min) == 1
with step("Part: requirements"):
    assert "allocated_to_build_orders" in part.getRequirements() or "required_build_order_quantity" in part.getRequirements()
with step("PartRelated: create, list, delete"):
    neighbour = Part.create(api, {"name": f"Lens {RUN}", "description": "For a LED", "category": category.pk, "purchaseable": True})
    PartRelated.add_related(api, part, neighbour)
    assert len(part.getRelated()) == 1 and len(neighbour.getRelated()) == 1
    part.getRelated()[0].delete()
with step("Part: delete (active: rejected, inactive: accepted)"):
    doomed = Part.create(api, {"name": f"Doomed {RUN}", "description": "", "category": category.pk})
    rejects(doomed.delete, 400)
    doomed.save({"active": False})
    doomed.delete()
    rejects(doomed.reload, 404)

# BOM

with step("BomItem: create, list, used in, save"):
    lamp = Part.create(
        api,
        {
            "name": f"Lamp {RUN}",
            "description": "A lamp",
            "category": category.pk,
            "assembly": True,
            "trackable": True,
            "testable": True,
            "salable": True,
        },
    )
    line = BomItem.create(api, {"part": lamp.pk, "sub_part": part.pk, "quantity": 3, "reference": "D1-D3"})
    assert [one.pk for one in lamp.getBomItems()] == [line.pk]
    assert [one.part for one in part.isUsedIn()] == [lamp.pk]
    line.save({"quantity": 2})
    assert float(BomItem(api, line.pk).quantity) == 2
    rejects(lambda: BomItem.create(api, {"part": lamp.pk, "sub_part": lamp.pk, "quantity": 1}), 400)
with step("BomItemSubstitute: create, list, delete"):
    substitute_part = Part.create(api, {"name": f"LED2 {RUN}", "description": "", "category": category.pk, "component": True})
    substitute = BomItemSubstitute.create(api, {"bom_item": line.pk, "part": substitute_part.pk})
    assert [one.pk for one in BomItemSubstitute.list(api, bom_item=line.pk)] == [substitute.pk]
    substitute.delete()
with step("PartTestTemplate: create, key, list"):
    test = PartTestTemplate.create(api, {"part": lamp.pk, "test_name": "Bright enough?", "description": "By eye", "required": True})
    assert test.getTestKey() == "brightenough" and [one.pk for one in lamp.getTestTemplates()] == [test.pk]

# companies

with step("Company: create, image, metadata, attachments"):
    supplier = Company.create(api, {"name": f"Supplier {RUN}", "description": "", "is_supplier": True, "currency": "USD"})
    maker = Company.create(api, {"name": f"Maker {RUN}", "description": "", "is_manufacturer": True, "currency": "EUR"})
    customer = Company.create(api, {"name": f"Customer {RUN}", "description": "", "is_customer": True})
    supplier.uploadImage(picture)
    supplier.setMetadata({"rating": 5})
    assert supplier.image and supplier.getMetadata() == {"rating": 5}
    supplier.addLinkAttachment("https://example.com/")
    assert len(supplier.getAttachments()) == 1
with step("Contact and Address: create, list, save, delete"):
    contact = Contact.create(api, {"company": supplier.pk, "name": "Ann", "email": "ann@example.com"})
    address = Address.create(api, {"company": supplier.pk, "title": "Works", "primary": True, "line1": "Street 1"})
    assert [one.pk for one in supplier.getContacts()] == [contact.pk]
    assert [one.pk for one in supplier.getAddresses()] == [address.pk]
    contact.save({"role": "Sales"})
    address.delete()
    assert Address.list(api, company=supplier.pk) == []
with step("ManufacturerPart: create, list, parameters"):
    made = ManufacturerPart.create(api, {"part": part.pk, "manufacturer": maker.pk, "MPN": f"M-{RUN}"})
    assert [one.pk for one in maker.getManufacturedParts()] == [made.pk]
    assert [one.pk for one in part.getManufacturerParts()] == [made.pk]
    Parameter.create(api, {"model_type": "manufacturerpart", "model_id": made.pk, "template": colour.pk, "data": "red"})
    assert [one.data for one in made.getParameters()] == ["red"]
    made.uploadAttachment(sheet)
    assert len(made.getAttachments()) == 1
with step("SupplierPart: create, list, save"):
    bought = SupplierPart.create(
        api, {"part": part.pk, "supplier": supplier.pk, "SKU": f"S-{RUN}", "manufacturer_part": made.pk, "pack_quantity": "10"}
    )
    assert [one.pk for one in supplier.getSuppliedParts()] == [bought.pk] == [one.pk for one in part.getSupplierParts()]
    bought.save({"note": "By the ten"})
    assert bought.manufacturer_part == made.pk
with step("SupplierPriceBreak: create, list, save, delete"):
    SupplierPriceBreak.create(api, {"part": bought.pk, "quantity": 1, "price": 3, "price_currency": "USD"})
    price = SupplierPriceBreak.create(api, {"part": bought.pk, "quantity": 10, "price": "2.5"})
    price.save({"price": 2})
    assert sorted(float(one.price) for one in bought.getPriceBreaks()) == [2, 3]
    price.delete()
    assert len(bought.getPriceBreaks()) == 1
with step("SupplierPart and ManufacturerPart: bulk delete"):
    extra = [SupplierPart.create(api, {"part": part.pk, "supplier": supplier.pk, "SKU": f"X{n}-{RUN}"}).pk for n in range(3)]
    SupplierPart.bulkDelete(api, items=extra)
    other = ManufacturerPart.create(api, {"part": part.pk, "manufacturer": maker.pk, "MPN": f"X-{RUN}"})
    ManufacturerPart.bulkDelete(api, items=[other.pk])
    assert len(part.getSupplierParts()) == 1 and len(part.getManufacturerParts()) == 1

# stock

with step("StockLocation: create, parent, children"):
    store = StockLocation.create(api, {"name": f"Store {RUN}", "description": ""})
    shelf = StockLocation.create(api, {"name": "Shelf", "description": "", "parent": store.pk})
    assert shelf.getParentLocation().pk == store.pk and [one.pk for one in store.getChildLocations()] == [shelf.pk]
    assert store.getParentLocation() is None
with step("StockItem: create, list, part, location"):
    [item] = StockItem.create(api, {"part": part.pk, "quantity": 100, "location": store.pk, "batch": "B1"})
    assert item.getPart().pk == part.pk and item.getLocation().pk == store.pk
    assert [one.pk for one in part.getStockItems()] == [item.pk] == [one.pk for one in store.getStockItems()]
with step("StockItem: count, add, remove, transfer"):
    item.countStock(50, notes="Counted")
    item.addStock(10)
    item.removeStock(5)
    item.reload()
    assert item.quantity == 55
    item.transferStock(shelf, quantity=20)
    item.reload()
    assert item.quantity == 35 and sum(one.quantity for one in shelf.getStockItems()) == 20
    rejects(lambda: item.addStock(-1), 400)
with step("StockItem: tracking"):
    entries = item.getTrackingEntries()
    assert len(entries) >= 4, len(entries)
with step("StockItem: create with serial numbers, serialize"):
    serialized = StockItem.create(api, {"part": lamp.pk, "quantity": 3, "location": store.pk, "serial_numbers": f"{RUN}1-{RUN}3"})
    assert len(serialized) == 3 and {one.quantity for one in serialized} == {1}
    [lot] = StockItem.create(api, {"part": lamp.pk, "quantity": 2, "location": store.pk})
    api.post(f"stock/{lot.pk}/serialize/", {"quantity": 2, "serial_numbers": f"{RUN}4-{RUN}5", "destination": store.pk})
    assert StockItem.count(api, part=lamp.pk, serialized=True) == 5
with step("StockItem: assign to a customer"):
    [gift] = StockItem.create(api, {"part": part.pk, "quantity": 1, "location": store.pk})
    gift.assignStock(customer, notes="A sample")
    gift.reload()
    assert gift.customer == customer.pk
with step("StockItem: install and uninstall"):
    [led] = StockItem.create(api, {"part": part.pk, "quantity": 1, "location": store.pk})
    serialized[0].installStock(led)
    led.reload()
    assert led.belongs_to == serialized[0].pk
    led.uninstallStock(store)
    led.reload()
    assert led.belongs_to is None and led.location == store.pk
with step("StockItemTestResult: upload by name, by template, with a file, list"):
    serialized[0].uploadTestResult("Bright enough?", True, value="12", notes="Fine")
    serialized[0].uploadTestResult(test, False, attachment=sheet)
    results = serialized[0].getTestResults()
    assert len(results) == 2 and {one.getTestKey() for one in results} == {"brightenough"}
    assert sorted(one.result for one in results) == [False, True]
    assert any(one.attachment for one in results)
with step("StockItem: metadata, attachments"):
    item.setMetadata({"tray": 7})
    item.uploadAttachment(sheet)
    assert item.getMetadata() == {"tray": 7} and len(item.getAttachments()) == 1
with step("StockItem: bulk delete"):
    doomed = [StockItem.create(api, {"part": part.pk, "quantity": 1})[0].pk for _ in range(3)]
    StockItem.bulkDelete(api, items=doomed)
    for pk in doomed:
        rejects(lambda: StockItem(api, pk), 404)

# barcodes

with step("Barcodes: assign, scan, reject a second link, unassign"):
    item.assignBarcode(f"code-{RUN}")
    assert api.scanBarcode(f"code-{RUN}")["stockitem"]["pk"] == item.pk
    rejects(lambda: part.assignBarcode(f"code-{RUN}"), 400)
    item.unassignBarcode()
    rejects(lambda: api.scanBarcode(f"code-{RUN}"), 400)
    for thing, kind in [(part, "part"), (store, "stocklocation"), (bought, "supplierpart")]:
        thing.assignBarcode(f"{kind}-{RUN}")
        assert api.scanBarcode(f"{kind}-{RUN}")[kind]["pk"] == thing.pk
    assert api.scanBarcode({"part": part.pk})["part"]["pk"] == part.pk

# purchase orders

with step("ProjectCode: create, list, save"):
    project = ProjectCode.create(api, {"code": f"P-{RUN}", "description": "A project"})
    project.save({"description": "The project"})
    assert project.pk in [one.pk for one in ProjectCode.list(api)]
with step("PurchaseOrder: create with project, contact, supplier"):
    order = supplier.createPurchaseOrder(description="LEDs", project_code=project.pk, contact=contact.pk)
    assert order.reference and order.getSupplier().pk == supplier.pk and order.getContact().pk == contact.pk
    assert order.pk in [one.pk for one in supplier.getPurchaseOrders()]
with step("PurchaseOrderLineItem and extra line: add, save, parents"):
    po_line = order.addLineItem(part=bought.pk, quantity=5, purchase_price=2, purchase_price_currency="USD")
    po_line2 = order.addLineItem(part=bought.pk, quantity=2, merge_items=False)
    po_extra = order.addExtraLineItem(quantity=1, reference="Freight", price=9.5, price_currency="USD")
    assert len(order.getLineItems()) == 2 and len(order.getExtraLineItems()) == 1
    assert po_line.getPart().pk == part.pk and po_line.getSupplierPart().pk == bought.pk and po_line.getOrder().pk == order.pk
    po_extra.save({"notes": "By lorry"})
    assert po_extra.getOrder().pk == order.pk and float(PurchaseOrderExtraLineItem(api, po_extra.pk).price) == 9.5
    merged = order.addLineItem(part=bought.pk, quantity=1)
    assert merged.pk in (po_line.pk, po_line2.pk) and len(order.getLineItems()) == 2
    order.reload()
    assert float(order.total_price) > 19.5, order.total_price
with step("PurchaseOrder: hold, issue, receive a line, receive all, complete"):
    order.hold()
    assert order.status == 25
    order.issue()
    assert order.status == 20
    po_line.receive(quantity=3, location=store, batch_code="R1")
    assert po_line.received == 3 and StockItem.list(api, part=part.pk, batch="R1")[0].quantity == 30
    order.receiveAll(location=store)
    assert all(one.received == one.quantity for one in order.getLineItems())
    if order.status != 30:
        order.complete()
    assert order.status == 30
with step("PurchaseOrder: cancel, metadata, attachments, parameters"):
    other = PurchaseOrder.create(api, {"supplier": supplier.pk, "description": "A mistake"})
    other.setMetadata({"why": "trial"})
    other.uploadAttachment(sheet)
    Parameter.create(api, {"model_type": "purchaseorder", "model_id": other.pk, "template": colour.pk, "data": "red"})
    assert other.getMetadata() == {"why": "trial"} and len(other.getAttachments()) == 1 and len(other.getParameters()) == 1
    other.cancel()
    assert other.status == 40
    rejects(other.issue, 400)

# sales orders

with step("SalesOrder: create, lines, extra lines, shipments"):
    sale = customer.createSalesOrder(description="Lamps")
    assert sale.pk in [one.pk for one in customer.getSalesOrders()] and sale.getCustomer().pk == customer.pk
    so_line = sale.addLineItem(part=part.pk, quantity=10, sale_price=4)
    so_extra = sale.addExtraLineItem(quantity=1, reference="Postage", price=5)
    assert so_line.getPart().pk == part.pk and so_line.getOrder().pk == sale.pk and so_extra.getOrder().pk == sale.pk
    assert len(sale.getLineItems()) == 1 and len(sale.getExtraLineItems()) == 1
    first = sale.getShipments()[0] if sale.getShipments() else sale.addShipment("1")
    second = sale.addShipment("Second")
    assert len(sale.getShipments()) == 2 and second.getOrder().pk == sale.pk
with step("SalesOrder: hold, issue"):
    sale.hold()
    sale.issue()
    assert sale.status == 15
with step("SalesOrder: allocate to shipments"):
    so_line.allocateToShipment(first, quantity=4)
    so_line.reload()
    assert so_line.allocated == 4
    so_line.allocateToShipment(second)
    so_line.reload()
    assert so_line.allocated == 10
    assert sum(one.quantity for one in SalesOrderAllocation.list(api, order=sale.pk)) == 10
    allocation = first.getAllocations()[0]
    assert allocation.getOrder().pk == sale.pk and allocation.getLineItem().pk == so_line.pk
    assert allocation.getPart().pk == part.pk and allocation.getStockItem().pk == allocation.item
    assert sum(one.quantity for one in first.allocations) == 4
with step("SalesOrderShipment: complete, ship; SalesOrder: complete"):
    first.complete(tracking_number="T1", invoice_number="I1", link="https://example.com/t1")
    assert first.shipment_date and first.tracking_number == "T1"
    second.ship(shipment_date="2026-01-02")
    so_line.reload()
    assert so_line.shipped == 10 and second.shipment_date == "2026-01-02"
    sale.reload()
    sale.complete()
    assert sale.status in (20, 30), sale.status
with step("SalesOrder: cancel, metadata"):
    other = SalesOrder.create(api, {"customer": customer.pk, "description": "A mistake"})
    other.setMetadata({"why": "trial"})
    other.cancel()
    assert other.status == 40 and other.getMetadata() == {"why": "trial"}

# return orders

with step("ReturnOrder: create, lines, issue, receive, complete"):
    sold = StockItem.list(api, sales_order=sale.pk)
    back = customer.createReturnOrder(description="Broken")
    ro_line = back.addLineItem(item=sold[0].pk, quantity=sold[0].quantity)
    ro_extra = back.addExtraLineItem(quantity=1, reference="Fee", price=2)
    assert ro_line.getStockItem().pk == sold[0].pk and ro_line.getOrder().pk == back.pk == ro_extra.getOrder().pk
    assert len(back.getLineItems()) == 1 and len(back.getExtraLineItems()) == 1
    back.hold()
    back.issue()
    api.post(f"order/ro/{back.pk}/receive/", {"items": [{"item": ro_line.pk}], "location": store.pk})
    ro_line.reload()
    assert ro_line.received_date
    back.complete()
    assert back.status == 30 and back.pk in [one.pk for one in customer.getReturnOrders()]
with step("ReturnOrder: cancel"):
    other = ReturnOrder.create(api, {"customer": customer.pk, "description": "A mistake"})
    other.cancel()
    assert other.status == 40

# build orders

with step("Build: create, lines, hold, issue"):
    build = Build.create(api, {"part": lamp.pk, "quantity": 4, "title": "Lamps", "location": store.pk})
    assert build.pk in [one.pk for one in lamp.getBuilds()]
    [build_line] = build.getLines()
    assert build_line.getBuild().pk == build.pk and build_line.quantity == 8
    build.hold()
    build.issue()
    assert build.status == 20
with step("Build: outputs: create, cancel, scrap, complete"):
    outputs = build.createBuildOutput(quantity=4, serial_numbers=f"{RUN}11-{RUN}14", location=store.pk)
    assert len(outputs) == 4 and len(build.getBuildOutputs(complete=False)) == 4
    build.cancelBuildOutputs(outputs[3])
    build.scrapBuildOutput(outputs[2], location=store.pk, notes="Broken")
    build.completeBuildOutput(outputs[0], location=store.pk, accept_incomplete_allocation=True)
    assert [one.pk for one in build.getBuildOutputs(complete=True)].count(outputs[0].pk) == 1
with step("BuildItem: create, parents"):
    source = [one for one in part.getStockItems(in_stock=True, available=True) if one.quantity >= 2][0]
    # the part is not tracked, so its stock is allocated to the order and not to an output
    BuildItem.create(api, {"build": build.pk, "build_line": build_line.pk, "stock_item": source.pk, "quantity": 2})
    [build_item] = BuildItem.list(api, build=build.pk)
    assert build_item.getBuild().pk == build.pk
    assert build_item.getBuildLine().pk == build_line.pk and build_item.getStockItem().pk == source.pk
with step("Build: finish"):
    build.completeBuildOutput(outputs[1], location=store.pk, accept_incomplete_allocation=True)
    rejects(lambda: build.complete(), 400)
    build.finish(accept_unallocated=True, accept_incomplete=True, accept_overallocated="accept")
    build.reload()
    assert build.status == 40, build.status
with step("Build: cancel, attachments, metadata, parameters"):
    other = Build.create(api, {"part": lamp.pk, "quantity": 1, "title": "A mistake"})
    other.uploadAttachment(sheet)
    other.setMetadata({"why": "trial"})
    assert len(other.getAttachments()) == 1 and other.getParameters() == []
    other.cancel(remove_allocated_stock=True)
    assert other.status == 30

# printing

with step("LabelTemplate: create, list, save, download"):
    source = write_file("label.html", b"<html><body>{{ part.name }}</body></html>")
    label = LabelTemplate.create(
        api, {"name": f"Label {RUN}", "description": "A label", "model_type": "part", "width": 50, "height": 25}, source
    )
    assert label.pk in [one.pk for one in part.getLabelTemplates()]
    label.save({"description": "The label"})
    label.save({}, label=write_file("label2.html", b"<html><body>{{ part.IPN }}</body></html>"))
    label.downloadTemplate(os.path.join(folder, "label.html"))
    assert b"part.IPN" in open(os.path.join(folder, "label.html"), "rb").read()
with step("Part, StockItem, StockLocation: print labels"):
    for thing in [part, item, store]:
        template = thing.getLabelTemplates()[0]
        target = os.path.join(folder, f"label-{thing.getModelType()}.pdf")
        thing.printLabel(template, plugin="inventreelabel", destination=target)
        assert open(target, "rb").read(5) == b"%PDF-"
    part.printLabel(label.pk)
with step("ReportTemplate: create, list, save, download"):
    source = write_file("report.html", b"<html><body>{{ order.reference }}</body></html>")
    report = ReportTemplate.create(
        api, {"name": f"Report {RUN}", "description": "A report", "model_type": "purchaseorder"}, source
    )
    assert report.pk in [one.pk for one in order.getReportTemplates()]
    report.save({"description": "The report"})
    report.downloadTemplate(os.path.join(folder, "report.html"))
with step("Orders, builds, locations: print reports"):
    for thing in [order, sale, back, build, store]:
        templates = thing.getReportTemplates(enabled=True)
        assert templates, f"no template for {thing.getModelType()}"
        target = os.path.join(folder, f"report-{thing.getModelType()}.pdf")
        thing.printReport(templates[0], destination=target)
        assert open(target, "rb").read(5) == b"%PDF-"

# the rest

with step("InvenTreePlugin: list, get"):
    plugins = InvenTreePlugin.list(api)
    assert plugins and all(one.pk for one in plugins)
    plugin = InvenTreePlugin(api, plugins[0].pk)
    assert plugin.key == plugins[0].key
with step(
    "InvenTreePlugin: metadata",
    client_fault="the client names the model `inventreeplugin`, and 1.5 `pluginconfig`",
    error="/api/metadata/inventreeplugin/",
):
    plugin.getMetadata()
with step("InvenTreePlugin: activate", client_fault="the client sends POST, and 1.5 accepts only PUT and PATCH", error="/activate/: 405"):
    plugin.setActive(True)
with step("User, Group, Owner: list, get"):
    assert USERNAME in [one.username for one in User.list(api)]
    group = Group.create(api, {"name": f"Group {RUN}"})
    assert group.pk in [one.pk for one in Group.list(api)]
    owners = Owner.list(api)
    assert f"Group {RUN}" in [one.name for one in owners] and Owner(api, owners[0].pk).name == owners[0].name
    group.delete()
with step("CurrencyManager: base, rates, conversion"):
    currencies = CurrencyManager(api)
    base = currencies.getBaseCurrency()
    assert base and currencies.getExchangeRates()[base] == 1
    assert currencies.convertCurrency(3, base, base) == 3
with step("Notifications: list, read, delete all"):
    assert isinstance(api.get("notifications/"), list)
    api.post("notifications/readall/", {})
    assert api.get("notifications/", params={"read": False}) == []
with step("Settings: read, change"):
    setting = api.get("settings/global/INVENTREE_INSTANCE/")
    api.patch("settings/global/INVENTREE_INSTANCE/", {"value": setting["value"]})
    assert api.get("settings/user/")
with step("Clean up: delete contact, lines, project code, category, location"):
    contact.delete()
    spare = PurchaseOrder.create(api, {"supplier": supplier.pk, "project_code": project.pk})
    spare_line = spare.addLineItem(part=bought.pk, quantity=1)
    spare_line.delete()
    assert spare.getLineItems() == []
    spare.delete()
    empty = StockLocation.create(api, {"name": f"Empty {RUN}"})
    api.delete(empty._url, json={"delete_stock_items": False, "delete_sub_locations": False})
    hollow = PartCategory.create(api, {"name": f"Hollow {RUN}"})
    api.delete(hollow._url, json={"delete_parts": False, "delete_child_categories": False})
    label.delete()
    report.delete()
with step(
    "StockLocation: delete()",
    client_fault="the client sends no `delete_stock_items` and `delete_sub_locations`, which 1.5 requires",
    error='400 {"delete_stock_items"',
):
    StockLocation.create(api, {"name": f"Empty {RUN}"}).delete()
with step(
    "PartCategory: delete()",
    client_fault="the client sends no `delete_parts` and `delete_child_categories`, which 1.5 requires",
    error='"delete_child_categories"',
):
    PartCategory.create(api, {"name": f"Hollow {RUN}"}).delete()

finish()
