class ProductsController < ApplicationController
  def index
    @products = Product.sorted(params[:sort])
    render json: @products
  end
end
