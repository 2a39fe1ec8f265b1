# frozen_string_literal: true

require "csv"

# Copies the supplier's price list into the shop, once a night.
class PriceSync
  Result = Struct.new(:changed, :skipped)

  def initialize(products, source, logger)
    @products = products
    @source = source
    @logger = logger
  end

  def call
    result = Result.new(0, 0)
    CSV.foreach(@source, headers: true) do |row|
      apply(row) ? result.changed += 1 : result.skipped += 1
    end
    result
  end

  private

  def apply(row)
    product = @products.find_by_sku(row["sku"])
    return false unless product

    product.price_cents = Integer(row["cents"], 10)
    product.save!
    true
  rescue ArgumentError, TypeError => error
    @logger.warn("price of #{row["sku"].inspect} not usable: #{error.message.inspect}")
    false
  end
end
