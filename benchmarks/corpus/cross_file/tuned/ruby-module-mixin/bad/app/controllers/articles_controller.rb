class ArticlesController < ApplicationController
  def index
    render json: Article.matching(params[:q])
  end
end
