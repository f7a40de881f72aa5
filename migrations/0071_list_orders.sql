DROP INDEX "build_order_issued_by_idx";--> statement-breakpoint
DROP INDEX "build_order_responsible_idx";--> statement-breakpoint
DROP INDEX "purchase_order_responsible_idx";--> statement-breakpoint
DROP INDEX "return_order_responsible_idx";--> statement-breakpoint
DROP INDEX "sales_order_responsible_idx";--> statement-breakpoint
DROP INDEX "part_stocktake_user_idx";--> statement-breakpoint
DROP INDEX "stock_item_expiry_date_idx";--> statement-breakpoint
CREATE INDEX "bom_item_by_allow_variants_idx" ON "bom_item" USING btree ("allow_variants","pk");--> statement-breakpoint
CREATE INDEX "bom_item_by_inherited_idx" ON "bom_item" USING btree ("inherited","pk");--> statement-breakpoint
CREATE INDEX "bom_item_by_optional_idx" ON "bom_item" USING btree ("optional","pk");--> statement-breakpoint
CREATE INDEX "bom_item_by_consumable_idx" ON "bom_item" USING btree ("consumable","pk");--> statement-breakpoint
CREATE INDEX "bom_item_by_quantity_idx" ON "bom_item" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_completed_idx" ON "build_order" USING btree ("completed","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_completion_date_idx" ON "build_order" USING btree ("completion_date","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_quantity_idx" ON "build_order" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_issued_by_idx" ON "build_order" USING btree ("issued_by","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_responsible_idx" ON "build_order" USING btree ("responsible","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_priority_idx" ON "build_order" USING btree ("priority","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_by_description_idx" ON "manufacturer_part" USING btree ("description","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_by_link_idx" ON "manufacturer_part" USING btree ("link","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_by_barcode_hash_idx" ON "manufacturer_part" USING btree ("barcode_hash","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_parameter_by_name_idx" ON "manufacturer_part_parameter" USING btree ("name","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_parameter_by_value_idx" ON "manufacturer_part_parameter" USING btree ("value","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_parameter_by_units_idx" ON "manufacturer_part_parameter" USING btree ("units","pk");--> statement-breakpoint
CREATE INDEX "supplier_part_by_active_idx" ON "supplier_part" USING btree ("active","pk");--> statement-breakpoint
CREATE INDEX "supplier_part_by_packaging_idx" ON "supplier_part" USING btree ("packaging","pk");--> statement-breakpoint
CREATE INDEX "supplier_part_by_updated_idx" ON "supplier_part" USING btree ("updated","pk");--> statement-breakpoint
CREATE INDEX "supplier_part_by_pack_quantity_idx" ON "supplier_part" USING btree ("pack_quantity_native","pack_quantity","pk");--> statement-breakpoint
CREATE INDEX "supplier_price_break_by_price_idx" ON "supplier_price_break" USING btree ("price","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_extra_line_by_quantity_idx" ON "purchase_order_extra_line" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_extra_line_by_reference_idx" ON "purchase_order_extra_line" USING btree ("reference","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_line_by_quantity_idx" ON "purchase_order_line" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_line_by_reference_idx" ON "purchase_order_line" USING btree ("reference","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_line_by_purchase_price_idx" ON "purchase_order_line" USING btree ("purchase_price","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_line_by_target_date_idx" ON "purchase_order_line" USING btree ("target_date","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_by_line_items_idx" ON "purchase_order" USING btree ("line_items","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_by_responsible_idx" ON "purchase_order" USING btree ("responsible","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_by_total_price_idx" ON "purchase_order" USING btree ("total_price","pk");--> statement-breakpoint
CREATE INDEX "return_order_extra_line_by_quantity_idx" ON "return_order_extra_line" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "return_order_extra_line_by_reference_idx" ON "return_order_extra_line" USING btree ("reference","pk");--> statement-breakpoint
CREATE INDEX "return_order_line_by_received_date_idx" ON "return_order_line" USING btree ("received_date","pk");--> statement-breakpoint
CREATE INDEX "return_order_line_by_reference_idx" ON "return_order_line" USING btree ("reference","pk");--> statement-breakpoint
CREATE INDEX "return_order_line_by_target_date_idx" ON "return_order_line" USING btree ("target_date","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_line_items_idx" ON "return_order" USING btree ("line_items","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_responsible_idx" ON "return_order" USING btree ("responsible","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_total_price_idx" ON "return_order" USING btree ("total_price","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_customer_reference_idx" ON "return_order" USING btree ("customer_reference","pk");--> statement-breakpoint
CREATE INDEX "sales_order_extra_line_by_quantity_idx" ON "sales_order_extra_line" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "sales_order_extra_line_by_reference_idx" ON "sales_order_extra_line" USING btree ("reference","pk");--> statement-breakpoint
CREATE INDEX "sales_order_line_by_quantity_idx" ON "sales_order_line" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "sales_order_line_by_reference_idx" ON "sales_order_line" USING btree ("reference","pk");--> statement-breakpoint
CREATE INDEX "sales_order_line_by_sale_price_idx" ON "sales_order_line" USING btree ("sale_price","pk");--> statement-breakpoint
CREATE INDEX "sales_order_line_by_target_date_idx" ON "sales_order_line" USING btree ("target_date","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_line_items_idx" ON "sales_order" USING btree ("line_items","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_responsible_idx" ON "sales_order" USING btree ("responsible","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_total_price_idx" ON "sales_order" USING btree ("total_price","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_customer_reference_idx" ON "sales_order" USING btree ("customer_reference","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_shipment_date_idx" ON "sales_order" USING btree ("shipment_date","pk");--> statement-breakpoint
CREATE INDEX "part_internal_price_by_price_idx" ON "part_internal_price" USING btree ("price","pk");--> statement-breakpoint
CREATE INDEX "part_parameter_by_data_idx" ON "part_parameter" USING btree ("data_numeric","data","pk");--> statement-breakpoint
CREATE INDEX "part_by_creation_date_idx" ON "part" USING btree ("creation_date","pk");--> statement-breakpoint
CREATE INDEX "part_by_IPN_idx" ON "part" USING btree ("IPN","pk");--> statement-breakpoint
CREATE INDEX "part_by_last_stocktake_idx" ON "part" USING btree ("last_stocktake","pk");--> statement-breakpoint
CREATE INDEX "part_by_units_idx" ON "part" USING btree ("units","pk");--> statement-breakpoint
CREATE INDEX "part_sale_price_by_price_idx" ON "part_sale_price" USING btree ("price","pk");--> statement-breakpoint
CREATE INDEX "part_stocktake_by_date_idx" ON "part_stocktake" USING btree ("date","pk");--> statement-breakpoint
CREATE INDEX "part_stocktake_by_item_count_idx" ON "part_stocktake" USING btree ("item_count","pk");--> statement-breakpoint
CREATE INDEX "part_stocktake_by_quantity_idx" ON "part_stocktake" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "part_stocktake_by_user_idx" ON "part_stocktake" USING btree ("user","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_batch_idx" ON "stock_item" USING btree ("batch","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_expiry_date_idx" ON "stock_item" USING btree ("expiry_date","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_quantity_idx" ON "stock_item" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_status_idx" ON "stock_item" USING btree ("status","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_stocktake_date_idx" ON "stock_item" USING btree ("stocktake_date","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_updated_idx" ON "stock_item" USING btree ("updated","pk");--> statement-breakpoint
CREATE INDEX "stock_item_by_stock_idx" ON "stock_item" USING btree ("quantity","serial_int","serial","pk");--> statement-breakpoint
CREATE INDEX "stock_item_test_result_by_result_idx" ON "stock_item_test_result" USING btree ("result","pk");