class Product < ApplicationRecord
  def self.sorted(column)
    find_by_sql("SELECT * FROM products ORDER BY #{column}")
  end
end
