class Product < ApplicationRecord
  COLUMNS = %w[name price].freeze

  def self.sorted(column)
    column = 'name' unless COLUMNS.include?(column)
    find_by_sql("SELECT * FROM products ORDER BY #{column}")
  end
end
